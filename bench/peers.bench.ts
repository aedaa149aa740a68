import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildSync } from 'esbuild'
import { generators, tool } from '../scripts/runtimes/generated-clients.ts'
import { install } from '../scripts/runtimes/trial.ts'
import { openApi } from '../src/openapi/document.ts'
import { type Figure, ratio } from './figure.ts'
import { measureTasks, ratioOf } from './measure-tasks.ts'

/** Reads a page with the generated client, which checks responses with zod. */
const program = `import * as api from './hey'
import { client } from './hey/client.gen'

export function reader(baseUrl, fetch) {
  client.setConfig({ baseUrl, auth: 'k', fetch })
  return () => api.labTestsListMarkers({ query: { size: 100 }, throwOnError: true })
}
`

export default async function (isFull: boolean): Promise<Figure[]> {
  mkdirSync('scratch', { recursive: true })
  const scratch = resolve(mkdtempSync('scratch/peers-'))
  try {
    const rounds = isFull ? 100 : 25
    const page = await measureTasks(
      rounds,
      ['clientPage', 'generatedPage'],
      [generateClient(scratch)],
    )
    const request = await measureTasks(rounds, ['mockRequest', 'prismRequest'])
    return [
      ratio(
        'A validated page of 100 markers: the client / a generated client (hey-api with zod)',
        ratioOf(page, 'clientPage', 'generatedPage'),
        0.7,
        0.4,
      ),
      ratio('A request: mock.fetch / Prism', ratioOf(request, 'mockRequest', 'prismRequest'), 0.2),
    ]
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

/** Returns the path of the client's bundle. */
function generateClient(scratch: string): string {
  const folder = install(tool, scratch)
  const document = join(folder, 'service.json')
  writeFileSync(document, JSON.stringify(openApi()))
  generators['hey-api'](folder, document, process.execPath)
  writeFileSync(join(folder, 'page.ts'), program)
  const outfile = join(folder, 'page.js')
  buildSync({ entryPoints: [join(folder, 'page.ts')], outfile, bundle: true, format: 'esm' })
  return outfile
}
