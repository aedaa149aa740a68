import { execFile } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packageSources } from '../support/package-sources.ts'
import { surroundings } from './surroundings.ts'

const run = promisify(execFile)

/** The fixture runs only in Vitest; the guide has a tested recipe for it. */
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

/** The modules that declare the names in the examples. */
const imports = {
  'node:fs': ['openAsBlob'],
  'node:http': ['createServer'],
  'msw/node': ['setupServer'],
  'health-lab-sdk/mock': ['createMock', 'explainTeam'],
  'health-lab-sdk/mock/conformance': ['createConformanceSetup', 'connectConformanceSetup'],
  'health-lab-sdk/mock/explore': ['explore'],
  'health-lab-sdk/mock/msw': ['handlers'],
  'health-lab-sdk/mock/remote': ['connectMock'],
  'health-lab-sdk/mock/server': ['serve'],
  'health-lab-sdk/certify': ['certify'],
  'health-lab-sdk/conformance': ['runConformance', 'toTable'],
  'health-lab-sdk/events': [
    'eventHandler',
    'nodeEventHandler',
    'parseEvent',
    'recordsOf',
    'signEvent',
    'verifyEvent',
  ],
  'health-lab-sdk': [
    ...[
      'column',
      'dateTrunc',
      'groupKey',
      'idempotencyKeyOf',
      'isLabName',
      'max',
      'mean',
      'operations',
      'past',
      'query',
      'rows',
      'sum',
    ],
    ...['remainingRanges', 'type BulkImportCheckpoint'],
    ...['ServiceClient', 'where'],
  ],
  'health-lab-sdk/otel': ['instrument'],
  'health-lab-sdk/parquet': ['ParquetArchive', 'tables'],
  '../../test/docs/surroundings.ts': ['inPlace', 'surroundings'],
}

/** Returns one program with all examples, each with its own surroundings. */
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

/**
 * Replaces fixed ports, which another program may use, lets the process end, and runs few conformance cases: their own
 * tests run all.
 */
function alone(code: string): string {
  return code
    .replace('port: 4010', 'port: 0')
    .replace('.listen(8080)', '.listen(0).unref()')
    .replace(/(?<=runConformance\(\{.*)setup(?= \}|: )/, "only: ['2.1'], setup")
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

it('finds the examples', () => {
  expect(examples.length).toBeGreaterThan(40)
})

it('runs every example of a doc comment', async () => {
  const { stderr } = await run(process.execPath, [...packageSources, 'examples.ts'], {
    cwd: folder,
  })
  expect(stderr).toBe('')
}, 60_000)

it('shows examples that compile', async () => {
  const output = await run('npx', ['tsc', '--project', folder]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
  expect(output.split('\n').filter((line) => line.startsWith('scratch'))).toEqual([])
}, 60_000)
