import { execFile } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { surroundings } from './surroundings.ts'

const run = promisify(execFile)

/** The fixture of Vitest runs in Vitest only, and has a recipe in the guide. */
const elsewhere = ['mock/vitest.ts']

interface Example {
  file: string
  code: string
}

const examples: Example[] = globSync(['src/**/*.ts', 'mock/**/*.ts'])
  .filter((file) => !elsewhere.includes(file))
  .toSorted()
  .flatMap((file) => {
    const found = readFileSync(file, 'utf8').matchAll(
      /@example\n((?:\s*\* ?(?!@).*\n)*?)\s*(?:\* @|\*\/)/g,
    )
    return [...found].map(([, lines = '']) => ({ file, code: lines.replaceAll(/^\s*\* ?/gm, '') }))
  })

/** Where the examples have their names from. */
const imports = {
  'node:fs': ['openAsBlob'],
  'node:http': ['createServer'],
  'msw/node': ['setupServer'],
  '../../mock/index.ts': ['createMock'],
  '../../mock/conformance.ts': ['conformanceSetup', 'servedConformanceSetup'],
  '../../mock/msw.ts': ['handlers'],
  '../../mock/remote/connect.ts': ['connectMock'],
  '../../mock/server/server.ts': ['serve'],
  '../../src/conformance/index.ts': ['runConformance', 'toTable'],
  '../../src/events/index.ts': [
    'eventHandler',
    'nodeEventHandler',
    'parseEvent',
    'recordsOf',
    'verifyEvent',
  ],
  '../../src/index.ts': [
    ...['dateTrunc', 'isLabName', 'max', 'mean', 'operations', 'past', 'query', 'rows'],
    ...['ServiceClient', 'where'],
  ],
  '../../src/otel.ts': ['instrument'],
  '../../src/parquet/index.ts': ['ParquetArchive', 'tables'],
  '../../test/docs/surroundings.ts': ['inPlace', 'surroundings'],
}

/** One program of all examples, each with surroundings of its own. */
async function program(): Promise<string> {
  const lines = Object.entries(imports).map(([from, names]) => {
    return `import { ${names.join(', ')} } from '${from}'`
  })
  const names = Object.keys(await surroundings({ isBooked: false })).join(', ')
  const bodies = examples.map(
    ({ file, code }) =>
      `{
        const { ${names} } = await surroundings({ isBooked: ${!code.includes('.bookPhlebotomy')} })
        try { ${alone(code)} } catch (error) { console.error('${file}', error) }
      }`,
  )
  return [...lines, 'const end = await inPlace()', ...bodies, 'await end()', ''].join('\n')
}

/** Takes no port that another program may have, and keeps no process alive. */
function alone(code: string): string {
  return code.replace('port: 4010', 'port: 0').replace('.listen(8080)', '.listen(0).unref()')
}

let folder = ''

beforeAll(async () => {
  mkdirSync('scratch', { recursive: true })
  folder = mkdtempSync('scratch/comments-')
  writeFileSync(join(folder, 'examples.ts'), await program())
  const settings = { extends: '../../tsconfig.json', include: ['examples.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
})

afterAll(() => rmSync(folder, { recursive: true }))

it('finds the examples it speaks of', () => {
  expect(examples.length).toBeGreaterThan(40)
})

it('runs every example of a doc comment', async () => {
  const { stderr } = await run(process.execPath, ['examples.ts'], { cwd: folder })
  expect(stderr).toBe('')
}, 60_000)

it('shows examples that compile', async () => {
  const output = await run('npx', ['tsc', '--project', folder]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
  expect(output.split('\n').filter((line) => line.startsWith('scratch'))).toEqual([])
}, 60_000)
