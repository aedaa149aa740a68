import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { documentNames } from '../../scripts/build/documents.ts'
import * as client from '../../src/index.ts'
import { homepage, version } from '../../src/version.ts'
import { entries } from '../../tsup.config.ts'

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))

it('sends the published version', () => {
  expect(version).toBe(manifest.version)
})

it('links errors to the published homepage', () => {
  expect(homepage).toBe(manifest.homepage ?? '')
})

it('builds every exported entry point with its types', () => {
  const entryPoints = Object.entries(manifest.exports).filter(([path]) => !path.endsWith('.json'))
  const subpaths: Record<string, unknown> = Object.fromEntries(entryPoints)
  const { './mock/vitest': vitest, './mock/playwright': playwright, ...both } = subpaths
  const { 'mock/vitest': _, 'mock/playwright': __, ...required } = entries
  const built = Object.keys(required).map((name) => ({
    module: `./dist/${name}.js`,
    require: { types: `./dist/cjs/${name}.d.cts`, default: `./dist/cjs/${name}.cjs` },
    default: { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
  }))
  expect(Object.values(both)).toMatchObject(built)
  expect(vitest).toMatchObject({
    types: './dist/mock/vitest.d.ts',
    default: './dist/mock/vitest.js',
  })
  expect(playwright).toMatchObject({
    types: './dist/mock/playwright.d.ts',
    default: './dist/mock/playwright.js',
  })
})

it('exports the documents that the build writes', () => {
  const documents = documentNames.map((name) => [`./${name}`, `./dist/${name}`])
  const exported = Object.entries(manifest.exports).filter(([path]) => path.endsWith('.json'))
  expect(exported).toEqual([...documents, ['./package.json', './package.json']])
})

it('declares the same for tools that do not read exports', () => {
  const { './mock/vitest': _, ...both } = manifest.exports as Record<string, unknown>
  const declared = Object.entries(both).flatMap(([subpath, target]) => {
    const { types } = (target as { require?: { types: string } }).require ?? {}
    return types && subpath !== '.' ? [[subpath.slice('./'.length), [types]]] : []
  })
  const documents = documentNames.map((name) => [name, [`./dist/${name}`]])
  expect(Object.entries(manifest.typesVersions['*'])).toEqual([...declared, ...documents])
  expect(manifest.types).toBe(manifest.exports['.'].require.types)
  expect(manifest.main).toBe(manifest.exports['.'].require.default)
})

it('resolves the package to the source of every entry point', () => {
  const { compilerOptions } = JSON.parse(readFileSync('tsconfig.json', 'utf8'))
  const sources = Object.values(entries).map((source) => [`./${source}`])
  const subpaths = Object.keys(manifest.exports).filter((subpath) => !subpath.endsWith('.json'))
  const names = subpaths.map((subpath) => subpath.replace('.', 'health-lab-sdk'))
  expect(Object.keys(compilerOptions.paths)).toEqual(names)
  expect(Object.values(compilerOptions.paths)).toEqual(sources)
})

it('runs existing files in its scripts', () => {
  const laboratory = readFileSync('scripts/lab.ts', 'utf8')
  const commands = `${Object.values<string>(manifest.scripts).join(' ')} ${laboratory}`
  const files = [...commands.matchAll(/[\w./-]+\.ts/g)].map(([file]) => file)
  expect(files.filter((file) => !existsSync(file))).toEqual([])
})

it('has only the listed runtime dependencies; all others are optional', () => {
  expect(Object.keys(manifest.dependencies)).toEqual(['hyparquet', 'ky', 'modern-tar', 'zod'])
  const optional = Object.entries(manifest.peerDependenciesMeta as Record<string, object>)
  expect(optional).toEqual(
    Object.keys(manifest.peerDependencies).map((name) => [name, { optional: true }]),
  )
})

it('pins every tool to one version', () => {
  const ranges = Object.values<string>(manifest.devDependencies).filter(
    (range) => !/^(?:npm:[\w-]+@)?\d+\.\d+\.\d+(?:-(?:r|alpha)\.\d+)?$/.test(range),
  )
  expect(ranges).toEqual([])
})

it('exports these names from the client', () => {
  expect(Object.keys(client).sort()).toMatchInlineSnapshot(`
    [
      "AbortError",
      "ApiError",
      "AuthenticationError",
      "BadRequestError",
      "ConflictError",
      "ConnectionError",
      "InternalServerError",
      "NotFoundError",
      "PaginationError",
      "PermissionDeniedError",
      "RateLimitError",
      "RequestValidationError",
      "ResponseValidationError",
      "ServiceClient",
      "ServiceError",
      "TimeoutError",
      "UnprocessableEntityError",
      "aggregateColumns",
      "aggregationFunctions",
      "appointmentEventStatuses",
      "appointmentProviders",
      "appointmentStatuses",
      "appointmentTypes",
      "bulkImportProviders",
      "bulkOpStatuses",
      "column",
      "columns",
      "connectionProviders",
      "count",
      "dateTrunc",
      "ethnicities",
      "genderIdentities",
      "groupKey",
      "idempotencyKeyOf",
      "inferredPayorCodes",
      "insuranceRelationships",
      "isKnown",
      "isLabName",
      "markerTypes",
      "max",
      "mean",
      "median",
      "min",
      "newest",
      "oldest",
      "operations",
      "past",
      "providerAuthTypes",
      "query",
      "races",
      "remainingRanges",
      "rows",
      "serviceErrorCodes",
      "sexualOrientations",
      "sourceTypes",
      "stddev",
      "sum",
      "summaryResources",
      "supportedResources",
      "timeUnits",
      "timeseriesColumns",
      "where",
    ]
  `)
})
