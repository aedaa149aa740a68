/**
 * Which module may import which, checked with `npx depcruise src mock`. Type-only imports count.
 * The rules of a folder start to apply when the folder exists.
 */

/** Entry points: only `tsup.config.ts` names them. */
const entryPoints = [
  '^src/(?:index|otel)[.]ts$',
  '^src/(?:events|durable|stores|sync|parquet|conformance|certify)/index[.]ts$',
  '^mock/(?:index|conformance|explore|msw|playwright|remote|server|vitest)[.]ts$',
  '^mock/cli/index[.]ts$',
]

/** What client and mock share. Of `src/events`, only the signature: the mock signs events with the code that verifies them. */
const shared = ['^src/(?:contract|shared)/', '^src/version[.]ts$', '^src/events/signature[.]ts$']

/** The parts of `src` that build on the contract, with what else each may import. */
const parts = {
  events: [],
  // Handled messages are one of the jobs of a store.
  stores: ['^src/events/dedupe[.]ts$'],
  // Durable writes call the methods of a client, and know its errors and its clock.
  durable: ['^src/client/', '^src/stores/(?:store-error|write-store)[.]ts$'],
  // Sync receives events, calls the methods of a client, and uses the drivers and the store of Postgres.
  sync: [
    '^src/client/',
    '^src/events/(?:dedupe|parse|verify)[.]ts$',
    '^src/stores/(?:database|postgres|store-error)[.]ts$',
  ],
  openapi: [],
  // Parquet responses are compared with JSON ones.
  conformance: ['^src/parquet/'],
  certify: ['^src/events/(?:errors|sign|signature|verify)[.]ts$'],
  parquet: ['^src/client/(?:download/save-file[.]ts$|errors/)'],
}

/** The layers of the client, the lowest first. A layer imports itself and those before it. */
const clientLayers = [
  { name: 'core', path: '^src/client/(?!(?:client[.]ts$|resources/|bulk-import/))' },
  { name: 'resources', path: '^src/client/(?:resources|bulk-import)/' },
  { name: 'client', path: '^src/client/client[.]ts$' },
  { name: 'entry-points', path: '^src/(?:index|otel)[.]ts$' },
]

/** The layers of the mock, the lowest first. A layer imports itself and those before it. */
const mockLayers = [
  {
    name: 'base',
    path: '^mock/(?:shared/|errors[.]ts$|http/(?:http-error|response)[.]ts$)',
  },
  { name: 'data', path: '^mock/(?:reference-data|query|state/records|living/(?!users/|events/))' },
  { name: 'state', path: '^mock/(?:state/(?!records/|team-state[.])|living/users/)' },
  { name: 'events', path: '^mock/(?:events|living/events)/' },
  { name: 'faults', path: '^mock/faults/' },
  { name: 'http', path: '^mock/http/(?!(?:http-error|response)[.])' },
  { name: 'routes', path: '^mock/routes/' },
  {
    name: 'team',
    // What a team has comes from all layers below, and so does the file of its state.
    path: '^mock/(?:snapshot/|fixtures/|diagnostics/|state/team-state[.]ts$|(?:mock|team)[.]ts$)',
  },
  { name: 'explore', path: '^mock/explore/' },
  { name: 'control', path: '^mock/control/' },
  { name: 'server', path: '^mock/(?:server|remote)/' },
  {
    name: 'entry-points',
    path: '^mock/(?:index|conformance|explore|msw|playwright|remote|server|vitest)[.]ts$',
  },
  { name: 'command', path: '^mock/cli/' },
]

/** Lists without imports, which the page of the inspector may use too. */
const plainLists = [
  '^mock/shared/time-units[.]ts$',
  '^mock/control/(?:paths|routes)[.]ts$',
  '^mock/state/(?:bookings/outcomes|clock/clock-modes|records/paths)[.]ts$',
  '^mock/faults/effect-names[.]ts$',
  '^mock/http/journal/outcomes[.]ts$',
]

/** The one place of each external library. No other library may be imported. */
const adapters = [
  { library: 'zod', paths: ['^src/(?:contract|openapi)/', '^mock/'] },
  { library: 'ky', paths: ['^src/client/transport/attempt/running-attempt[.]ts$'] },
  { library: 'hyparquet', paths: ['^src/parquet/', '^mock/query/parquet[.]ts$'] },
  { library: 'hyparquet-writer', paths: ['^mock/query/parquet[.]ts$'] },
  {
    library: 'modern-tar',
    paths: ['^mock/query/parquet[.]ts$', '^mock/faults/corrupt-archive[.]ts$'],
  },
  { library: '@opentelemetry/api', paths: ['^src/otel(?:-metrics)?[.]ts$'] },
  { library: 'msw', paths: ['^mock/msw[.]ts$'] },
  { library: '@playwright/test', paths: ['^mock/playwright[.]ts$'] },
  { library: 'vitest', paths: ['^mock/vitest[.]ts$'] },
  { library: '@faker-js/faker', paths: ['^mock/reference-data/'] },
  { library: 'preact', paths: ['^mock/inspector/'] },
  { library: 'pg', paths: ['^mock/cli/sync/'] },
  { library: '@electric-sql/pglite', paths: ['^mock/cli/sync/'] },
  { library: 'commander', paths: ['^mock/cli/'] },
  { library: 'yaml', paths: ['^mock/cli/serving/fixture-file[.]ts$'] },
]

/**
 * The one place of each Node module. No other Node module may be imported. `mock/diagnostics/explain-team.ts` uses
 * modules that the process already has, without an import, so that browsers can load it.
 */
const nodeModules = [
  { modules: ['http', 'net'], paths: ['^mock/server/', '^mock/cli/sync/'] },
  {
    modules: ['fs', 'fs/promises', 'path'],
    paths: [
      '^mock/cli/(?:(?:serving|sync)/|documents[.]ts$)',
      '^src/client/download/save-file[.]ts$',
    ],
  },
  { modules: ['util'], paths: ['^mock/cli/'] },
  { modules: ['crypto'], paths: ['^mock/control/'] },
  { modules: ['stream/promises'], paths: ['^src/client/download/save-file[.]ts$'] },
  { modules: ['stream'], paths: ['^mock/cli/mcp[.]ts$'] },
]

const external = ['core', 'npm', 'npm-dev', 'npm-peer', 'npm-optional', 'npm-no-pkg', 'npm-unknown']

const product = '^(?:src|mock)/'

/** Matches a package by the path of its files, or by its name where it is not installed. */
function packagePath(name) {
  return `(?:^|/)node_modules/${name}/|^${name}(?:/|$)`
}

function nodePath(modules) {
  return `^(?:node:)?(?:${modules.join('|')})$`
}

/** Forbids each layer to import a layer above it. */
function layerRules(part, layers) {
  return layers.slice(0, -1).map(({ name, path }, index) => ({
    name: `${part}-${name}-imports-downwards`,
    comment: `Move the code down, or give ${name} a narrow interface of its own.`,
    severity: 'error',
    from: { path },
    to: { path: layers.slice(index + 1).map((layer) => layer.path) },
  }))
}

/** Forbids an external library outside its adapter. */
function adapterRule({ library, paths }) {
  return {
    name: `${library.replaceAll(/\W+/g, ' ').trim().replaceAll(' ', '-')}-in-its-adapter`,
    comment: `Import ${library} in ${paths.join(' or ')} only.`,
    severity: 'error',
    from: { path: product, pathNot: paths },
    to: { path: packagePath(library) },
  }
}

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment:
        'Two modules need each other, if only for a type. Give one of them a narrow interface.',
      severity: 'error',
      from: { path: product },
      to: { circular: true },
    },
    {
      name: 'imports-resolve',
      comment: 'The file or package does not exist.',
      severity: 'error',
      from: { path: product },
      to: { couldNotResolve: true },
    },
    {
      name: 'contract-imports-zod-only',
      comment:
        'The contract describes the service. It does no I/O and knows neither client nor mock.',
      severity: 'error',
      from: { path: '^src/contract/' },
      to: { pathNot: ['^src/(?:contract|shared)/', packagePath('zod')] },
    },
    {
      name: 'shared-imports-nothing',
      comment: 'All parts use the shared helpers. The version is a constant.',
      severity: 'error',
      from: { path: '^src/shared/' },
      to: { pathNot: ['^src/shared/', '^src/version[.]ts$'] },
    },
    ...Object.entries(parts).map(([name, also]) => ({
      name: `${name}-imports-the-contract-only`,
      comment: `src/${name} is an entry of its own and brings no other part along.`,
      severity: 'error',
      from: { path: `^src/${name}/` },
      to: {
        path: product,
        pathNot: [`^src/${name}/`, '^src/(?:contract|shared)/', '^src/version[.]ts$', ...also],
      },
    })),
    {
      name: 'conformance-states-the-specification-itself',
      comment:
        'A wrong constant of the contract would be wrong in the mock and in the case that checks it. Write the literal.',
      severity: 'error',
      from: { path: '^src/conformance/' },
      to: {
        path: product,
        // These modules contain no fact of the specification, except the values that reports may quote.
        pathNot: [
          '^src/(?:conformance|parquet)/',
          ...[
            '^src/contract/schema-tools/(?:describe-value|nearest)[.]ts$',
            '^src/shared/(?:base-url|mock-errors|narrow|reports)[.]ts$',
          ],
        ],
        // Types contain no constant: the ids of operations make a missing call an error of the compiler.
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'client-imports-no-other-part',
      comment:
        'The client builds on the contract only, so that its bundle stays small. It recognises errors of mocks.',
      severity: 'error',
      // queryParquet returns an archive, which it loads when a response is there.
      from: { path: '^src/client/', pathNot: '^src/client/resources/aggregate[.]ts$' },
      to: {
        path: product,
        pathNot: ['^src/(?:client|contract|shared)/', '^src/version[.]ts$'],
      },
    },
    {
      name: 'source-imports-no-mock',
      comment: 'The mock is for tests; the client and its parts run without it.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^mock/' },
    },
    {
      name: 'mock-imports-no-client',
      comment:
        'The mock is a second, independent reading of the specification. Only its Vitest fixture makes a client, and the command runs sync.',
      severity: 'error',
      from: { path: '^mock/', pathNot: '^mock/(?:vitest[.]ts$|cli/sync/)' },
      to: { path: '^src/', pathNot: [...shared, '^src/(?:openapi|conformance|certify)/'] },
    },
    {
      name: 'entry-points-are-not-imported',
      comment: 'Import the module that declares the name.',
      severity: 'error',
      // Node imports the wrappers in `node` instead of the entry points that need an optional package.
      from: { path: product, pathNot: '^(?:src|mock)/node/' },
      to: { path: entryPoints },
    },
    ...layerRules('client', clientLayers),
    ...layerRules('mock', mockLayers),
    {
      name: 'inspector-uses-the-control-api',
      comment:
        'The page runs in a browser: it takes types from the mock, and data from the control API.',
      severity: 'error',
      from: { path: '^mock/inspector/', pathNot: '^mock/inspector/page[.]ts$' },
      to: {
        path: product,
        pathNot: ['^mock/inspector/', '^src/(?:contract|shared)/', ...plainLists],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'inspector-is-served-by-control',
      comment: 'Only the control API serves the page.',
      severity: 'error',
      from: { path: product, pathNot: ['^mock/inspector/', '^mock/control/'] },
      to: { path: '^mock/inspector/' },
    },
    ...adapters.map(adapterRule),
    ...nodeModules.map(({ modules, paths }) => ({
      name: `node-${modules[0].replaceAll('/', '-')}-in-its-adapter`,
      comment: `Import node:${modules.join(' and node:')} in ${paths.join(' or ')} only.`,
      severity: 'error',
      from: { path: product, pathNot: paths },
      to: { path: nodePath(modules), dependencyTypes: ['core'] },
    })),
    {
      name: 'known-libraries-only',
      comment:
        'A new dependency needs an adapter in this file, and a decision in docs/contributing/decisions.',
      severity: 'error',
      from: { path: product },
      to: {
        dependencyTypes: external,
        pathNot: [
          ...adapters.map(({ library }) => packagePath(library)),
          ...nodeModules.map(({ modules }) => nodePath(modules)),
        ],
      },
    },
    {
      name: 'source-imports-no-tooling',
      comment: 'Only the page of the inspector is built by a script.',
      severity: 'error',
      from: { path: product, pathNot: '^mock/inspector/page[.]ts$' },
      to: { path: '^(?:scripts|test|examples|docs|bench)/|^[^/]+[.]ts$' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    skipAnalysisNotInRules: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.d.ts', '.js'],
    },
  },
}
