import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, request } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { connectMock } from '../../../mock/remote/connect.ts'
import { clockModes } from '../../../mock/state/clock/clock-modes.ts'
import { familyOf } from '../../../src/contract/values/event-types.ts'
import { ServiceClient } from '../../../src/index.ts'
import { sampled } from '../../support/long-tests.ts'
import { env, exitCodeOf, useCommand } from '../../support/programs/command.ts'

const { pathOf, start, startWith, run, mock } = useCommand()

it('serves the mock to a client with the API key and URL that it prints', async () => {
  const { url, apiKey, control } = await mock()
  const client = new ServiceClient({ baseUrl: url, apiKey })
  expect(await client.link.listProviders()).not.toHaveLength(0)
  expect((await fetch(control)).status).toBe(200)
})

it('contains the inspector, and the licences of its libraries', async () => {
  const { inspector } = await mock()
  const page = await fetch(inspector)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await page.text()).toMatch(
    /<title>Mock inspector<\/title>.*<!--\npreact\n\nThe MIT License/s,
  )
  expect(readFileSync(pathOf('cjs/LICENSES.txt'), 'utf8')).toMatch(/^preact$/m)
})

it('sends Parquet and generates users without optional packages', async () => {
  const { url, apiKey } = await mock()
  const { user_id } = await connectMock(url, apiKey).users.create()
  const client = new ServiceClient({ baseUrl: url, apiKey })
  const archive = await client.aggregate.queryParquet(user_id, {
    timeframe: { type: 'relative', anchor: '2025-06-01', past: { unit: 'day', value: 7 } },
    queries: [{ select: [{ arg: { sleep: 'score' }, func: 'mean' }] }],
  })
  let files = 0
  for await (const file of archive.files()) files += file.name.endsWith('.parquet') ? 1 : 0
  expect(files).toBe(1)
})

it('prints the URL, a key and the line to paste, without colours in a pipe', async () => {
  const child = start('mock', '--port', '0', '--seed', '42', '--now', '2024-02-29T12:00:00Z')
  const greeting = await new Promise<string>((resolve) => {
    child.stdout.once('data', (data) => resolve(String(data)))
  })
  const [, url] = /running at (\S+)/.exec(greeting) ?? []
  expect(greeting.replaceAll(url ?? '?', 'URL')).toMatchInlineSnapshot(`
    "The mock is running at URL

      key        sk_mock_812365f49f6f4fe59603beade24c2404, any other key creates its own team
      time       2024-02-29T12:00:00.000Z, realtime; seed 42
      inspector  URL/__mock__/
      control    URL/__mock__/api/openapi.json

    Paste this where your program runs:

      export SERVICE_BASE_URL=URL SERVICE_API_KEY=sk_mock_812365f49f6f4fe59603beade24c2404

    Press Ctrl+C to stop.
    "
  `)
})

it('uses the same API key for the same seed', async () => {
  const [one, other, third] = await Promise.all([mock('--seed', 'a'), mock('--seed', 'a'), mock()])
  expect(one.apiKey).toBe(other.apiKey)
  expect(one.apiKey).not.toBe(third.apiKey)
})

it.each(sampled(clockModes, 3))('sets the clock mode with --clock %s', async (clock) => {
  const { url, apiKey } = await mock('--clock', clock, '--now', '2024-01-01T00:00:00Z')
  const team = connectMock(url, apiKey)
  expect(await team.clock.mode()).toBe(clock)
  expect((await team.clock.now()).toISOString()).toMatch(/^2024-01-01T00:00:/)
})

it('creates a team for each unknown API key, except with --strict-keys', async () => {
  const [open, strict] = await Promise.all([mock(), mock('--strict-keys')])
  const statusOf = async (url: string) => {
    const headers = { 'x-service-api-key': 'another' }
    return (await fetch(`${url}/v2/providers`, { headers })).status
  }
  expect([await statusOf(open.url), await statusOf(strict.url)]).toEqual([200, 401])
})

it('keeps as many teams for unknown API keys as --auto-team-limit', async () => {
  const { url } = await mock('--auto-team-limit', '1')
  const first = connectMock(url, 'first')
  await first.users.create()
  expect(await first.users.size()).toBe(1)
  await connectMock(url, 'second').users.list()
  expect(await first.users.size()).toBe(0)
})

it('allows pages of any origin with --cors', async () => {
  const { url } = await mock('--cors')
  const { headers } = await fetch(`${url}/v2/providers`, { method: 'OPTIONS' })
  expect(headers.get('access-control-allow-origin')).toBe('*')
})

it.each([
  { source: 'a flag', flags: ['--host', ''], variables: {} },
  { source: 'the environment', flags: [], variables: { HOST: '' } },
])('rejects an empty address from $source', async ({ flags, variables }) => {
  const child = startWith(variables, 'mock', '--port', '0', ...flags)
  const [code, err] = await Promise.all([exitCodeOf(child), text(child.stderr)])
  expect([code, err]).toEqual([
    2,
    expect.stringContaining('Expected a non-empty address to listen on'),
  ])
})

it('responds to the names of --allow-host', async () => {
  const { url, apiKey } = await mock('--allow-host', 'a.example', '--allow-host', 'b.example')
  const statusOf = (host: string) =>
    new Promise((resolve, reject) => {
      const headers = { 'x-service-api-key': apiKey, host }
      request(`${url}/v2/providers`, { headers }, ({ statusCode }) => resolve(statusCode))
        .on('error', reject)
        .end()
    })
  const names = ['a.example', 'b.example', 'c.example']
  expect(await Promise.all(names.map(statusOf))).toEqual([200, 200, 403])
})

it('requires the token of --token', async () => {
  const { url, apiKey } = await mock('--token', 'secret')
  await expect(connectMock(url, apiKey).users.list()).rejects.toMatchObject({
    code: 'access_denied',
  })
  expect(await connectMock(url, apiKey, { token: 'secret' }).users.list()).toEqual([])
})

it.each([
  { source: 'a flag', flags: ['mock', '--port', '0', '--token', ''], token: undefined },
  { source: 'a flag of spaces', flags: ['mock', '--port', '0', '--token', '  '], token: undefined },
  { source: 'the environment', flags: ['mock', '--port', '0'], token: '' },
  { source: 'the environment of trigger', flags: ['trigger', '--list'], token: ' ' },
])('rejects a blank token from $source', async ({ flags, token }) => {
  const given = token === undefined ? undefined : { HEALTH_LAB_MOCK_TOKEN: token }
  const child = startWith(given ?? {}, ...flags)
  const [code, err] = await Promise.all([exitCodeOf(child), text(child.stderr)])
  expect([code, err]).toEqual([2, expect.stringContaining('Expected a non-blank token')])
})

/** The path of Node 20, if it is installed. */
const oldNode = (env['PATH'] ?? '')
  .split(delimiter)
  .map((home) => join(home, 'node'))
  .find((path) => {
    try {
      return execFileSync(path, ['--version'], { encoding: 'utf8', stdio: 'pipe' }).startsWith(
        'v20.',
      )
    } catch {
      return false
    }
  })
const older = join(import.meta.dirname, '../../support/programs/older-node.cjs')
const oldNodes = [
  {
    what: 'this Node in the name of 20.20.2',
    path: process.execPath,
    before: ['--require', older],
  },
  { what: 'Node 20', path: oldNode ?? '', before: [] },
].filter(({ path }) => path !== '')

it.each(oldNodes)('names the required Node version to $what', async ({ path, before }) => {
  for (const flags of [['mock'], ['--version'], ['mock', '--json']]) {
    const child = spawn(path, [...before, pathOf('cli.js'), ...flags], { env })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [code, err] = await Promise.all([exitCodeOf(child), text(child.stderr)])
    const message = 'health-lab-sdk requires Node.js 22.13 or later, but this is 20.'
    expect([code, err]).toEqual([1, expect.stringContaining(message)])
    if (flags.includes('--json'))
      expect(JSON.parse(err)).toMatchObject({ error: expect.any(String) })
  }
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(engines.node).toBe('>=22.13')
})

it('starts with syntax that old Node versions can parse', () => {
  const script = readFileSync(pathOf('cli.js'), 'utf8')
  expect(script).not.toMatch(/^import\b|\?\?|\?\.|\bawait\b|\basync\b|\.\.\./m)
  expect(script).toMatch(/import\("\.\/cjs\/cli\.cjs"\)/)
})

it.each(['SIGINT', 'SIGTERM'] as const)('stops at %s with exit code 0', async (signal) => {
  const { child } = await mock()
  child.kill(signal)
  expect(await exitCodeOf(child)).toBe(0)
})

it('exits immediately at a second signal that is not the first one again', async () => {
  const { child, url, apiKey } = await mock('--clock', 'manual')
  const team = connectMock(url, apiKey)
  const { id } = await team.orders.create()
  const client = new ServiceClient({ ...team.connection(), maxRetries: 0 })
  const call = client.orders.bookPhlebotomyAppointment(id, { booking_key: 'bk_never' })
  call.catch(() => {})
  await team.clock.whenWaiting()
  child.kill('SIGINT')
  const stopped = exitCodeOf(child)
  // The server has handled the first signal when it accepts no connection.
  await expect.poll(() => fetch(url).catch(() => 'refused')).toBe('refused')
  // Signals within half a second of the first one are that of the terminal and that of npm.
  const repeating = setInterval(() => child.kill('SIGINT'), 50)
  onTestFinished(() => clearInterval(repeating))
  expect(await stopped).toBeNull()
})

it.each(
  sampled(
    [
      { parts: ['--help'], code: 0, out: 'Usage: health-lab-sdk' },
      { parts: ['mock', '--help'], code: 0, out: '--strict-keys' },
      {
        parts: ['--version'],
        code: 0,
        out: JSON.parse(readFileSync('package.json', 'utf8')).version,
      },
      { parts: [], code: 2, err: 'Usage: health-lab-sdk' },
      { parts: ['mok'], code: 2, err: 'Did you mean mock?' },
      { parts: ['mock', '--prot', '1'], code: 2, err: 'Did you mean --port?' },
      { parts: ['mock', '--port', '65536'], code: 2, err: 'an integer from 0 to 65535' },
      { parts: ['mock', '--port', '1e3'], code: 2, err: 'an integer from 0 to 65535' },
      { parts: ['mock', '--clock', 'slow'], code: 2, err: 'auto, manual, realtime' },
      { parts: ['mock', '--auto-team-limit', '0'], code: 2, err: 'an integer of at least 1' },
      { parts: ['mock', '--port', '0', '--now', 'soon'], code: 2, err: "but got 'soon'" },
      {
        parts: ['mock', '--port', '0', '--host', '192.0.2.1'],
        code: 1,
        err: 'Choose another with --host',
      },
    ],
    2,
  ),
)('exits with $code for: $parts', async ({ parts, code, out = '', err = '' }) => {
  const found = await run(...parts)
  expect(found).toMatchObject({
    code,
    out: expect.stringContaining(out),
    err: expect.stringContaining(err),
  })
})

/** Starts a server, and returns its URL. */
async function urlOf(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('triggers an event for a user, and prints the deliveries', async () => {
  const { url, apiKey } = await mock()
  const team = connectMock(url, apiKey)
  const { user_id } = await team.users.create()
  const receiver = createHttpServer((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end())
  })
  await team.webhooks.add({ url: await urlOf(receiver) })
  const wanted = ['--user', user_id, '--data', '{"data":{"score":3}}', '--json']
  const address = ['--url', url, '--key', apiKey]
  const { out } = await run('trigger', 'daily.data.sleep.created', ...address, ...wanted)
  const { event, deliveries } = JSON.parse(out)
  expect(event.body).toMatchObject({ user_id, data: { data: { score: 3 } } })
  expect(deliveries).toMatchObject([{ webhook: 'webhook_1', outcome: 'delivered', status: 204 }])
  expect((await team.events.last())?.id).toBe(event.id)
})

it('prints the deliveries as lines', async () => {
  const { url, apiKey } = await mock()
  const team = connectMock(url, apiKey)
  const address = ['--url', url, '--key', apiKey]
  const first = await run('trigger', 'labtest.order.created', ...address)
  expect(first.out).toMatch(/^Triggered labtest\.order\.created for the user \S+ as msg_\w+\n/)
  expect(first.out).toContain('The team has no webhook for this event.')
  const broken = await urlOf(createHttpServer((_, response) => response.writeHead(500).end()))
  await team.webhooks.add({ url: broken })
  const second = await run('trigger', 'invoice.paid', '--unknown', ...address)
  expect(second).toMatchObject({ code: 0, err: '' })
  expect(second.out).toContain(`${broken} responded with 500; the delivery is retried later`)
})

it('triggers an event of the first team without a key, as in a new terminal', async () => {
  const { url, apiKey } = await mock()
  const { code, out } = await run('trigger', known, '--url', url)
  expect([code, out]).toEqual([0, expect.stringContaining(`Triggered ${known}`)])
  expect(await connectMock(url, apiKey).events.count()).toBe(1)
})

it('runs the examples of the guide', async () => {
  const guide = readFileSync('docs/testing/mock-server.md', 'utf8')
  const examples = guide.match(/^npx health-lab-sdk trigger .*$/gm) ?? []
  expect(examples).toHaveLength(3)
  const { url } = await mock()
  for (const example of examples) {
    const words = [...example.matchAll(/'([^']*)'|(\S+)/g)].map(
      ([, quoted, word]) => quoted ?? word,
    )
    const { code, err } = await run(...words.slice(2).map(String), '--url', url)
    expect([example, code, err]).toEqual([example, 0, ''])
  }
})

it('lists every event type of the specification', async () => {
  const { out } = await run('trigger', '--list', '--json')
  const types: string[] = JSON.parse(out)
  expect(types.filter((type) => !familyOf(type))).toEqual([])
  expect(new Set(types).size).toBe(219)
})

const known = 'labtest.order.created'
const nowhere = ['--url', 'http://127.0.0.1:1', '--key', 'a']

it('does not trigger an event for an unknown user', async () => {
  const { url, apiKey } = await mock()
  const words = ['trigger', known, '--url', url, '--key', apiKey, '--user', 'unknown', '--json']
  const { code, out, err } = await run(...words)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(JSON.parse(err).error).toContain("The API key's team has no user unknown.")
  expect(await connectMock(url, apiKey).events.count()).toBe(0)
})

it.each(
  sampled(
    [
      { parts: [], code: 2, err: 'Expected an event type, such as "daily.data.sleep.created"' },
      { parts: ['daily.data.slep.create'], code: 2, err: 'Did you mean daily.data.sleep.created?' },
      { parts: [known, '--data', '[1]', ...nowhere], code: 2, err: 'to be a JSON object' },
      { parts: [known, '--data', '{', ...nowhere], code: 2, err: 'to be a JSON object' },
      { parts: [known, '--url', 'x', '--key', 'a'], code: 2, err: 'an http or https URL' },
      { parts: [known, ...nowhere], code: 1, err: 'Start one: npx health-lab-sdk mock' },
    ],
    2,
  ),
)('exits with $code and the reason for: trigger $parts', async ({ parts, code, err }) => {
  expect(await run('trigger', ...parts)).toMatchObject({
    code,
    out: '',
    err: expect.stringContaining(err),
  })
})

it('reports a port in use, as JSON with --json', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as { port: number }
  const { code, err } = await run('mock', '--json', '--port', String(port))
  expect(code).toBe(1)
  const error = `Port ${port} is in use. Choose another with --port, or use any free port with --port 0.`
  expect(JSON.parse(err)).toEqual({ error })
})

it.each(
  sampled(
    [
      { parts: ['mock', '--json', '--port', 'x'], error: /an integer from 0 to 65535\.$/ },
      {
        parts: ['mock', '--json', '--prot'],
        error: /^unknown option '--prot'\s+\(Did you mean --port\?\)/,
      },
      { parts: ['conformance', '--json', '--url', 'x'], error: /^Expected --url to be an http/ },
      { parts: ['openapi', '--json', 'x'], error: /^too many arguments/ },
      { parts: ['trigger', '--json'], error: /^Expected an event type/ },
    ],
    2,
  ),
)('prints invalid arguments as JSON with --json: $parts', async ({ parts, error }) => {
  const { code, out, err } = await run(...parts)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(JSON.parse(err)).toEqual({ error: expect.stringMatching(error) })
})

it('certifies the receiver of an ES module, which may await at its top level', async () => {
  const file = pathOf('receiver.mjs')
  writeFileSync(file, 'export default await Promise.resolve(async () => new Response())')
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const words = ['--handler', file, '--secret', secret, '--only', 'signature/valid']
  expect((await run('certify', ...words)).out).toContain('1 passed, 0 failed')
})

it('contains the licences of the bundled libraries', () => {
  const licences = readFileSync(pathOf('cjs/LICENSES.txt'), 'utf8')
  for (const name of ['@faker-js/faker', 'commander', 'hyparquet-writer', 'zod']) {
    expect(licences).toContain(`${name}\n\n`)
  }
})
