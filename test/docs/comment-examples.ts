import { globSync, readFileSync } from 'node:fs'
import { surroundings } from './surroundings.ts'

/** These run only in their test runner; the guide has tested recipes for them. */
const elsewhere = ['mock/playwright.ts', 'mock/vitest.ts']

interface Example {
  file: string
  code: string
}

/** The examples of the doc comments. */
export const examples: readonly Example[] = globSync(['src/**/*.ts', 'mock/**/*.ts'])
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
  'health-lab-sdk/mock': ['createMock', 'explainDifference', 'explainTeam'],
  'health-lab-sdk/mock/conformance': ['createConformanceSetup', 'connectConformanceSetup'],
  'health-lab-sdk/mock/explore': ['explore'],
  'health-lab-sdk/mock/msw': ['handlers'],
  'health-lab-sdk/mock/remote': ['connectMock'],
  'health-lab-sdk/mock/server': ['serve'],
  'health-lab-sdk/certify': ['certify', 'certifyMutations', 'toMutationTable'],
  'health-lab-sdk/conformance': ['runConformance', 'toTable'],
  'health-lab-sdk/durable': ['durable'],
  'health-lab-sdk/stores': ['memoryStore', 'postgresStore', 'redisStore'],
  'health-lab-sdk/sync': ['createSync'],
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
  'health-lab-sdk/otel': ['instrument', 'instrumentEvents'],
  'health-lab-sdk/parquet': ['ParquetArchive', 'tables'],
  '../../test/docs/surroundings.ts': ['inPlace', 'surroundings'],
}

/** Returns one program with all examples, each with its own surroundings. */
export async function exampleProgram(): Promise<string> {
  const lines = Object.entries(imports).map(([from, names]) => {
    return `import { ${names.join(', ')} } from '${from}'`
  })
  const names = Object.keys(await surroundings({ isBooked: false })).join(', ')
  const bodies = examples.map(
    ({ file, code }) =>
      `{
        const { ${names} } = await surroundings({ isBooked: ${!/\.book(?:Phlebotomy|AndWait)/.test(code)} })
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
