import { execFileSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { transformSync } from 'esbuild'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { serviceDocument } from '../../mock/control/service-document.ts'
import { apiReports, reportFolder } from '../../scripts/api-reports.ts'
import { type PackedPackage, pack } from '../../scripts/packed.ts'
import { entries } from '../../tsup.config.ts'

let folder = ''
let dist = ''
let packed: PackedPackage | undefined
let built: Record<string, string> = {}

beforeAll(() => {
  // Where the packages are found that declarations speak of.
  mkdirSync('scratch', { recursive: true })
  folder = mkdtempSync('scratch/declarations-')
  packed = pack(folder)
  dist = join(folder, 'health-lab-sdk/dist')
  const files = globSync('**/*', { cwd: dist }).filter((file) => /\.(?:c?js|d\.c?ts)$/.test(file))
  built = Object.fromEntries(files.map((file) => [file, readFileSync(join(dist, file), 'utf8')]))
})

afterAll(() => rmSync(folder, { recursive: true }))

function files(pattern: RegExp, content: RegExp): string[] {
  return Object.keys(built).filter((file) => pattern.test(file) && content.test(built[file] ?? ''))
}

it('declares every entry point for import and, except those of test runners, for require', () => {
  const { 'mock/vitest': _, 'mock/playwright': __, ...required } = entries
  const expected = [
    ...Object.keys(entries).map((name) => `${name}.d.ts`),
    ...Object.keys(required).map((name) => `cjs/${name}.d.cts`),
  ]
  expect(files(/\.d\.ts$/, /export (?:\{|\* from '(?:\.\.?\/)+cjs\/)/).sort()).toEqual(
    expected.filter((file) => file.endsWith('.d.ts')).sort(),
  )
  expect(files(/\.d\.cts$/, /export \{/)).toEqual(
    expect.arrayContaining(expected.filter((file) => file.endsWith('.d.cts'))),
  )
})

/** All that the tarball holds; parts that entry points share have a name made from their content. */
const contents = [
  /^(?:package\.json|README\.md|AGENTS\.md|LICENSE|llms\.txt)$/,
  /^docs\/(?:start|tasks|guides|testing|reference|trust)\/[\w-]+\.md$/,
  /^dist\/(?:index|otel|cli|explore-host)\.js$/,
  /^dist\/(?:cjs\/)?(?:index|otel)\.(?:cjs|d\.c?ts)$/,
  /^dist\/(?:cjs\/)?(?:events|durable|stores|sync|parquet|conformance|certify)\/index\.(?:c?js|d\.c?ts)$/,
  /^dist\/(?:cjs\/)?mock\/(?:conformance|explore|index|msw|playwright|remote|server|vitest)\.(?:c?js|d\.c?ts)$/,
  /^dist\/node\/(?:explore|mock|msw|otel|playwright|server|vitest)\.js$/,
  /^dist\/(?:openapi|fixture\.schema|events\.schema)\.json$/,
  /^dist\/[\w-]+-[\w-]{8}\.js$/,
  /^dist\/cjs\/(?:cli|inspector-page)\.cjs$/,
  /^dist\/cjs\/[\w-]+-[\w-]{8}\.(?:cjs|d\.cts)$/,
  /^dist\/cjs\/LICENSES\.txt$/,
]

it('packs what is listed here, and nothing else: no sources, source maps or tests', () => {
  const files = packed?.files ?? []
  expect(files.filter((file) => !contents.some((kind) => kind.test(file)))).toEqual([])
  expect(contents.filter((kind) => !files.some((file) => kind.test(file)))).toEqual([])
})

it('has the files that the README links to', () => {
  const links = readFileSync('README.md', 'utf8').matchAll(/\]\((?!\w+:|#)([^)#]+)/g)
  const files = [...links].map(([, file = '']) => file)
  expect(files.length).toBeGreaterThan(10)
  expect(files.filter((file) => !packed?.files.includes(file))).toEqual([])
})

it.each([
  { what: 'a map of its source', mention: /sourceMappingURL/ },
  {
    what: 'a key',
    mention: /\bnpm_\w{30}|\bghp_\w{30}|\bsk_(?:live|mock)_\w{16}|BEGIN [A-Z ]*KEY/,
  },
  { what: 'the folder it was built in', mention: new RegExp(process.cwd()) },
])('packs no mention of $what', ({ mention }) => {
  expect(files(/^/, mention)).toEqual([])
})

it('packs the licence of every package whose code it holds', () => {
  const licences = readFileSync(join(dist, 'cjs/LICENSES.txt'), 'utf8')
  for (const name of [
    '@faker-js/faker',
    'commander',
    'hyparquet',
    'hyparquet-writer',
    'ky',
    'modern-tar',
    'preact',
    'zod',
  ]) {
    expect(licences).toContain(`${name}\n\n`)
  }
  expect(licences.match(/\b(?:MIT|ISC|BSD|Apache)\b/g)?.length).toBeGreaterThan(5)
})

it('declares what the reports of the API show', () => {
  const kept = readdirSync(reportFolder).map((name) => [
    name,
    readFileSync(join(reportFolder, name), 'utf8'),
  ])
  const advice = 'Run npm run api, and describe the change in CHANGELOG.md.'
  expect(apiReports(dist), advice).toEqual(Object.fromEntries(kept))
})

it('holds the OpenAPI document as a file', () => {
  const document = JSON.parse(readFileSync(join(dist, 'openapi.json'), 'utf8'))
  expect(document).toEqual(JSON.parse(JSON.stringify(serviceDocument())))
})

it.each([
  { foreign: 'zod', mention: /zod|\bz\d*\./i },
  { foreign: 'schemas', mention: /\{[^}]*\bSchema\b[^}]*\}(?: from|;)/ },
  { foreign: 'ky', mention: /from 'ky'/ },
])('mentions nothing of $foreign in a declaration', ({ mention }) => {
  // The names of shared files contain hashes, in which anything can appear.
  const texts = Object.entries(built).map(([file, text]) => [
    file,
    text.replaceAll(/'\.[^']*'/g, ''),
  ])
  const mentions = texts.filter(
    ([file = '', text = '']) => /\.d\.c?ts$/.test(file) && mention.test(text),
  )
  expect(mentions.map(([file]) => file)).toEqual([])
})

/** The files that a file loads at once. */
function loadedBy(file: string): string[] {
  const loaded = new Set([file])
  // A set grows while it is walked.
  for (const each of loaded) {
    const imports = (built[each] ?? '').matchAll(/\b(?:import|from) ?"(\.[^"]*\.js)"/g)
    for (const [, path = ''] of imports) loaded.add(posix.join(posix.dirname(each), path))
  }
  return [...loaded]
}

it('loads the compiler of schemas at the first call', () => {
  const [compiler = ''] = files(/^[^/]*\.js$/, /\b\w+\.compile\(/)
  expect(compiler).not.toBe('')
  expect(loadedBy('index.js').length).toBeGreaterThan(1)
  expect(loadedBy('index.js')).not.toContain(compiler)
})

it('loads the control API at its first request', () => {
  const [control = ''] = files(/\.js$/, /Expected the control token in the/)
  expect(control).not.toBe('')
  expect(loadedBy('mock/server.js')).not.toContain(control)
  expect(loadedBy('mock/remote.js').join()).not.toMatch(/index|mock\/server/)
})

it('loads the inspector at the first request of its page, and nothing else with it', () => {
  const [page = ''] = files(/^[^/]*\.js$/, /cjs\/inspector-page\.cjs/)
  const own = loadedBy(page).map((file) => built[file]?.length ?? Number.NaN)
  expect(Math.max(...own)).toBeLessThan(2000)
  const inspector = built['cjs/inspector-page.cjs'] ?? ''
  expect(inspector.length).toBeLessThan(60_000)
  expect(inspector).not.toMatch(/require\((?!"node:zlib"|"\.\/chunk)/)
  const [control = ''] = files(/\.js$/, /Expected the control token in the/)
  expect(loadedBy(control)).not.toContain(page)
})

it('loads faker, MSW, Playwright, Vitest and OpenTelemetry only in the entry points that need them', () => {
  expect(files(/^index\.js$/, /from"(?:msw|@faker-js|@opentelemetry)/)).toEqual([])
  expect(files(/\.js$/, /from"msw"/)).toEqual(['mock/msw.js'])
  expect(files(/\.js$/, /from"vitest"/)).toEqual(['mock/vitest.js'])
  expect(files(/\.js$/, /from"@playwright\/test"/)).toEqual(['mock/playwright.js'])
  expect(files(/\.js$/, /from"@opentelemetry/)).toEqual(['otel.js'])
})

/** A folder with the package and what it depends on, but no optional package. */
function bareConsumer(): string {
  const consumer = mkdtempSync(join(tmpdir(), 'health-lab-sdk-bare-'))
  onTestFinished(() => rmSync(consumer, { recursive: true }))
  const home = join(consumer, 'node_modules')
  cpSync(join(folder, 'health-lab-sdk'), join(home, 'health-lab-sdk'), { recursive: true })
  for (const name of ['ky', 'zod', 'hyparquet', 'modern-tar']) {
    cpSync(join('node_modules', name), join(home, name), { recursive: true })
  }
  return consumer
}

function printedBy(consumer: string, program: string): string {
  const parts = ['--input-type=module', '--eval', program]
  return execFileSync(process.execPath, parts, { cwd: consumer, encoding: 'utf8' }).trim()
}

it('names each optional package that is missing, and how to install it', () => {
  const consumer = bareConsumer()
  const needed = {
    mock: '@faker-js/faker',
    'mock/msw': 'msw',
    'mock/playwright': '@playwright/test',
    'mock/server': '@faker-js/faker',
    'mock/vitest': '@faker-js/faker',
    otel: '@opentelemetry/api',
  }
  const program = `for (const entry of ${JSON.stringify(Object.keys(needed))}) {
    await import('health-lab-sdk/' + entry).then(
      () => console.log('imported'),
      ({ code, message }) => console.log(code + ': ' + message),
    )
  }`
  const lines = Object.entries(needed).map(([entry, name]) => {
    const flag = name === '@opentelemetry/api' ? '' : '--save-dev '
    return `missing_package: health-lab-sdk/${entry} needs the package ${name}, which is not installed. Install it: npm install ${flag}${name}`
  })
  expect(printedBy(consumer, program).split('\n')).toEqual(lines)

  cpSync('node_modules/@faker-js', join(consumer, 'node_modules/@faker-js'), { recursive: true })
  const vitest = `await import('health-lab-sdk/mock/vitest').catch(({ message }) => console.log(message))`
  expect(printedBy(consumer, vitest)).toContain('npm install --save-dev vitest')
  const parquet = `import { ServiceClient } from 'health-lab-sdk'
    import { createMock, MockError } from 'health-lab-sdk/mock'
    const client = new ServiceClient(createMock().connection())
    const timeframe = { type: 'relative', anchor: '2025-06-01', past: { unit: 'day' } }
    const body = { timeframe, queries: [{ select: [{ arg: { sleep: 'score' }, func: 'mean' }] }] }
    await client.aggregate.queryParquet('2521cc12-0000-4000-8000-000000000000', body).catch((error) =>
      console.log(error instanceof MockError, error.message))`
  expect(printedBy(consumer, parquet)).toMatch(/^true .*npm install --save-dev hyparquet-writer$/)
})

it('names each optional package that is missing to require(), which loads its other packages without installing them', () => {
  const consumer = bareConsumer()
  for (const name of ['ky', 'zod', 'hyparquet', 'modern-tar']) {
    rmSync(join(consumer, 'node_modules', name), { recursive: true })
  }
  const names = Object.keys(entries).filter((name) => !/vitest|playwright/.test(name))
  const program = `import { createRequire } from 'node:module'
    const require = createRequire(process.cwd() + '/x.js')
    for (const name of ${JSON.stringify(names.map((name) => name.replace(/\/?index$/, '')))}) {
      try {
        require(('health-lab-sdk/' + name).replace(/\\/$/, ''))
      } catch ({ code, message }) {
        console.log(code + ': ' + message)
      }
    }`
  expect(printedBy(consumer, program).split('\n')).toEqual([
    'missing_package: health-lab-sdk/otel needs the package @opentelemetry/api, which is not installed. Install it: npm install @opentelemetry/api',
    'missing_package: health-lab-sdk/mock/msw needs the package msw, which is not installed. Install it: npm install --save-dev msw',
  ])
})

it('works with both builds in one process: instanceof, a mock with a client, a server with a mock', () => {
  const consumer = bareConsumer()
  cpSync('node_modules/@faker-js', join(consumer, 'node_modules/@faker-js'), { recursive: true })
  const program = `import { createRequire } from 'node:module'
    import { NotFoundError, BadRequestError, ServiceClient, ServiceError } from 'health-lab-sdk'
    import { EventError, parseEvent } from 'health-lab-sdk/events'
    import { createMock, MockError } from 'health-lab-sdk/mock'
    import { serve } from 'health-lab-sdk/mock/server'
    const require = createRequire(process.cwd() + '/x.js')
    const client = require('health-lab-sdk')
    const events = require('health-lab-sdk/events')
    const mock = require('health-lab-sdk/mock')
    const thrown = async (act) => { try { await act() } catch (error) { return error } }
    const id = '2521cc12-0000-4000-8000-000000000000'
    const notFound = (Client, create) =>
      thrown(() => new Client(create().connection()).orders.getPhlebotomyAppointment(id))
    const found = [
      client.ServiceClient === ServiceClient,
      ...[
        [await notFound(ServiceClient, mock.createMock), client],
        [await notFound(client.ServiceClient, createMock), { NotFoundError, BadRequestError, ServiceError }],
      ].map(([error, classes]) => [
        error instanceof classes.NotFoundError,
        error instanceof classes.ServiceError,
        error instanceof classes.BadRequestError,
        error instanceof MockError,
      ]),
      [await thrown(() => parseEvent(7)) instanceof events.EventError, await thrown(() => events.parseEvent(7)) instanceof EventError],
      [await thrown(() => createMock({ sed: 1 })) instanceof mock.MockError, await thrown(() => mock.createMock({ sed: 1 })) instanceof MockError],
    ]
    const required = mock.createMock()
    await using server = await serve(required)
    found.push(server.mock === required)
    console.log(JSON.stringify(found))`
  expect(JSON.parse(printedBy(consumer, program))).toEqual([
    false,
    [true, true, false, false],
    [true, true, false, false],
    [true, true],
    [true, true],
    true,
  ])
})

it.each(['mock/index', 'mock/msw', 'mock/server', 'mock/playwright', 'mock/vitest', 'otel'])(
  'exports from %s the same names to Node as to bundlers',
  (entry) => {
    const names = (file: string) =>
      /export ?\{([^}]*)\}/
        .exec(built[file] ?? '')?.[1]
        ?.match(/\w+(?=,|$)/g)
        ?.sort()
    const guarded = entry === 'mock/index' ? 'mock' : entry.replace('mock/', '')
    expect(names(`${entry}.js`)?.length).toBeGreaterThan(0)
    expect(names(`node/${guarded}.js`)).toEqual(names(`${entry}.js`))
  },
)

it('has top-level await only in files for Node', () => {
  // esbuild refuses it in CommonJS.
  const awaits = files(/^(?!cli)[^.]*\.js$/, /await/).filter((file) => {
    try {
      transformSync(built[file] ?? '', { format: 'cjs', logLevel: 'silent' })
      return false
    } catch {
      return true
    }
  })
  expect(awaits.filter((file) => !file.startsWith('node/'))).toEqual([])
  expect(awaits).toContain('node/mock.js')
})
