import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectMock } from '../../../mock/remote/connect.ts'
import { temporaryFolder } from '../../support/files.ts'
import { env, exitCodeOf, readyOf, useCommand } from '../../support/programs/command.ts'

const { startWith, run, mock, install } = useCommand()

const jane = '2d9c1f5e-3f0a-4c3b-9a58-0f5f5a6b7c01'
const people = { users: [{ user_id: jane, info: { first_name: 'Jane' } }] }

/** Writes a file into a temporary folder and returns its path. */
function fileWith(name: string, content: unknown): string {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

/** Returns a function that reads the next line of a log. */
function lineReader({ stderr }: ChildProcessWithoutNullStreams): () => Promise<string> {
  const lines = createInterface(stderr)[Symbol.asyncIterator]()
  return async () => String((await lines.next()).value)
}

describe('--fixture', () => {
  it.each([
    ['people.json', JSON.stringify(people)],
    ['people.yaml', `users:\n  - user_id: ${jane}\n    info: { first_name: Jane }\n`],
  ])('starts every team with the records of %s', async (name, content) => {
    const { url, apiKey } = await mock('--fixture', fileWith(name, content))
    for (const key of [apiKey, 'another']) {
      const user = await connectMock(url, key).users.get(jane)
      expect(user?.info?.first_name).toBe('Jane')
    }
  })

  it('is what a reset returns to', async () => {
    const { url, apiKey } = await mock('--fixture', fileWith('people.json', people))
    const team = connectMock(url, apiKey)
    await team.users.delete(jane)
    await team.users.create()
    await team.reset()
    expect((await team.users.list()).map(({ user_id }) => user_id)).toEqual([jane])
  })

  it.each([
    ['a file that is missing', 'none.json', 'cannot be read'],
    [
      'invalid JSON',
      fileNamed('people.json', '{\r\n  "users": [}'),
      'is not valid JSON: invalid syntax at line 2, column 13.',
    ],
    [
      'JSON that ends early',
      fileNamed('people.json', '{"users": [{"user_id": null}'),
      'is not valid JSON: invalid syntax at line 1, column 29.',
    ],
    [
      'JSON with a comment',
      fileNamed('people.json', '{"users": [],\n// none\n}'),
      'is not valid JSON: invalid syntax at line 2, column 1.',
    ],
    [
      'invalid YAML',
      fileNamed('people.yml', 'users: [\n}'),
      'is not valid YAML: invalid syntax at line 2, column 1.',
    ],
    [
      'an alias without a preceding anchor',
      fileNamed('people.yml', 'users:\n  - *jane'),
      'is not valid YAML: the alias at line 2, column 5 has no preceding anchor.',
    ],
    [
      'aliases that stand for too many values',
      fileNamed('people.yml', 'a: &a [1]\n'.concat(`b: [${'*a, '.repeat(200)}]`)),
      'is not valid YAML: its aliases expand to too many values.',
    ],
    [
      'an alias that contains itself',
      fileNamed('people.yml', 'users: &users\n  - *users'),
      'cannot be used: Expected fixture.users[0] not to contain itself.',
    ],
    [
      'a value that cannot be',
      fileNamed('people.json', '{"users": [{"user_id": "jane"}]}'),
      'cannot be used: Expected fixture.users[0].user_id to be a UUID.',
    ],
  ])('refuses %s', async (_, file, reason) => {
    const path = typeof file === 'string' ? file : fileWith(...file)
    const { code, out, err } = await run('mock', '--port', '0', '--fixture', path)
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(reason)])
  })

  it('starts the teams again with --watch when the file changes', async () => {
    const path = fileWith('people.json', people)
    const { url, apiKey, child } = await mock('--fixture', path, '--watch')
    const { users } = connectMock(url, apiKey)
    const nextLine = lineReader(child)
    const nextNote = async () => JSON.parse(await nextLine()).message

    // Editors write another file and rename it.
    writeFileSync(`${path}~`, '{"users": [{}, {}, {}]}')
    renameSync(`${path}~`, path)
    expect(await nextNote()).toContain('All teams were reset')
    expect(await users.size()).toBe(3)

    writeFileSync(path, '{"users": [{}, {"name": "Jane"}]}')
    expect(await nextNote()).toContain("Unknown field 'name' in fixture.users[1]")
    expect(await users.size()).toBe(3)
  })

  it('is required by --watch', async () => {
    const { code, err } = await run('mock', '--port', '0', '--watch')
    expect([code, err]).toEqual([2, expect.stringContaining('Pass --fixture')])
  })
})

/** The name and the content of a file. */
function fileNamed(name: string, content: string): [name: string, content: string] {
  return [name, content]
}

describe('--state', () => {
  it('keeps all teams after a restart: records, time, faults and webhooks', async () => {
    const path = join(temporaryFolder(), 'state.json')
    const first = await mock('--state', path, '--clock', 'manual')
    const team = connectMock(first.url, 'suite')
    const order = await team.orders.create()
    await team.clock.advance('3d')
    await team.faults.add({ on: 'orders.*', then: { status: 503 } })
    await team.webhooks.add({ id: 'app', url: 'http://127.0.0.1:9/' })
    first.child.kill('SIGTERM')
    expect(await exitCodeOf(first.child)).toBe(0)

    const second = await mock('--state', path, '--clock', 'manual')
    expect(second.apiKey).toBe(first.apiKey)
    const same = connectMock(second.url, 'suite')
    expect(await same.orders.get(order.id)).toEqual(order)
    expect((await same.clock.now()).toISOString()).toBe('2025-06-04T09:00:00.000Z')
    expect(await same.faults.list()).toHaveLength(1)
    expect((await same.webhooks.list()).map(({ id }) => id)).toEqual(['app'])
  })

  it('saves changes while the mock runs, so that a killed process loses little', async () => {
    const path = join(temporaryFolder(), 'state.json')
    const { url, child } = await mock('--state', path)
    const { user_id } = await connectMock(url, 'suite').users.create()
    const saved = () => (existsSync(path) ? readFileSync(path, 'utf8') : '')
    await expect.poll(saved).toContain(user_id)
    child.kill('SIGKILL')
    await exitCodeOf(child)
    const next = await mock('--state', path)
    expect(await connectMock(next.url, 'suite').users.has(user_id)).toBe(true)
  })

  it('says what a failed save means: the next change tries again, but not at the end', async () => {
    const folder = temporaryFolder()
    const { url, child } = await mock('--state', join(folder, 'state.json'), '--log', 'off')
    const nextLine = lineReader(child)
    rmSync(folder, { recursive: true })
    await connectMock(url, 'suite').users.create()
    expect(await nextLine()).toContain('The mock retries after the next change')
    child.kill('SIGTERM')
    expect(await nextLine()).toMatch(
      /The state was not saved: .*Changes since the last save are lost/,
    )
    expect(await exitCodeOf(child)).toBe(1)
  })

  it.each([
    ['a file that ends early', '{"format":"health-lab-mock-state","vers', 'It is not JSON.'],
    [
      'a team that is not an object',
      '{"format":"health-lab-mock-state","version":1,"seed":"1","teams":[null]}',
      'It is not a state file of the mock.',
    ],
    [
      'a team that is listed twice',
      '{"format":"health-lab-mock-state","version":1,"seed":"1","teams":[{"apiKey":"a"},{"apiKey":"a"}]}',
      'Two of its teams have the same API key.',
    ],
    [
      'a team without settings',
      '{"format":"health-lab-mock-state","version":1,"seed":"1","teams":[{"apiKey":"a"}]}',
      'Expected the options to be an object, but got undefined.',
    ],
    ['another file', '{"users": []}', 'It is not a state file of the mock.'],
    [
      'a newer version',
      '{"format":"health-lab-mock-state","version":99,"seed":"1","teams":[]}',
      'a different version of the package saved it',
    ],
    [
      'a damaged team',
      '{"format":"health-lab-mock-state","version":1,"seed":"1","teams":[{"apiKey":"a","settings":{},"faults":[],"snapshot":{}}]}',
      'The snapshot cannot be restored',
    ],
  ])('refuses %s, and leaves the file as it is', async (_, content, reason) => {
    const path = fileWith('state.json', content)
    const { code, out, err } = await run('mock', '--port', '0', '--state', path)
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(`The state file ${path} cannot be loaded`)
    expect(err).toContain(reason)
    expect(readFileSync(path, 'utf8')).toBe(content)
  })

  it('refuses a file that cannot be written', async () => {
    const path = join(temporaryFolder(), 'missing/state.json')
    const { code, err } = await run('mock', '--port', '0', '--state', path)
    expect([code, err]).toEqual([1, expect.stringContaining('cannot be written: ENOENT')])
  })

  it('refuses the file of a mock with another seed', async () => {
    const path = fileWith('state.json', {
      format: 'health-lab-mock-state',
      version: 1,
      seed: '7',
      teams: [],
    })
    const { code, err } = await run('mock', '--port', '0', '--state', path)
    expect([code, err]).toEqual([2, expect.stringContaining('was saved with --seed 7')])
  })
})

it('reads the port and the address from PORT and HOST', async () => {
  const blocked = createServer()
  blocked.listen(0, '127.0.0.1')
  await new Promise((listening) => blocked.once('listening', listening))
  onTestFinished(() => void blocked.close())
  const { port } = Object(blocked.address())
  const child = startWith({ PORT: String(port), HOST: '127.0.0.1' }, 'mock', '--json')
  const [code, err] = await Promise.all([exitCodeOf(child), text(child.stderr)])
  expect([code, err]).toEqual([1, expect.stringContaining(`Port ${port} is in use`)])
})

it('starts at the current time with --now now', async () => {
  const before = Date.now()
  const { url, apiKey } = await mock('--now', 'now', '--clock', 'manual')
  const now = (await connectMock(url, apiKey).clock.now()).getTime()
  expect(now).toBeGreaterThanOrEqual(before)
  expect(now).toBeLessThanOrEqual(Date.now())
})

it('is healthy only when the records of the fixture are there', async () => {
  const users = Array.from({ length: 3000 }, () => ({ info: null }))
  const path = fileWith('people.json', { users })
  const child = startWith({ PORT: '0' }, 'mock', '--json', '--fixture', path)
  const { url, apiKey } = await readyOf(child)
  const health = await fetch(`${url}/__mock__/health`)
  expect([health.status, await health.json()]).toEqual([200, { status: 'ready' }])
  expect(await connectMock(url, apiKey).users.size()).toBe(3000)
})

describe('the request log', () => {
  it('is JSON on standard error outside a terminal, without keys, queries or bodies', async () => {
    const { url, child } = await mock()
    const nextLine = lineReader(child)
    const key = 'secret-key-of-a-suite'
    const headers = { 'x-service-api-key': key, 'content-type': 'application/json' }
    await fetch(`${url}/__mock__/api/pulse`, { headers })
    await fetch(`${url}/v2/providers?source_type=secret-query`, { headers })
    await fetch(`${url}/v2/user/${key}/sign_in_token`, { method: 'POST', headers, body: '' })
    expect(JSON.parse(await nextLine())).toEqual({
      at: expect.any(String),
      method: 'GET',
      path: '/v2/providers',
      status: 200,
      duration: expect.any(Number),
    })
    expect(JSON.parse(await nextLine())).toMatchObject({ path: '/v2/user/…/sign_in_token' })
    const odd = 'a/b+c=é.'
    const odds = { 'x-service-api-key': Buffer.from(odd).toString('latin1') }
    for (const written of [encodeURIComponent(odd), encodeURI(odd).toLowerCase()]) {
      await fetch(`${url}/v2/${written}`, { headers: odds })
      expect(JSON.parse(await nextLine())).toMatchObject({ path: '/v2/…' })
    }
  })

  it('has a line for each request with --log lines, and says what a client saw', async () => {
    const { url, apiKey, child } = await mock('--log', 'lines')
    const nextLine = lineReader(child)
    await connectMock(url, apiKey).faults.add({ on: '*', then: 'lose_response' })
    const headers = { 'x-service-api-key': apiKey }
    await fetch(`${url}/v2/providers`, { headers }).catch(() => {})
    expect(await nextLine()).toMatch(/ POST {3}\/__mock__\/api\/faults {2}200 {2}\d+ ms$/)
    expect(await nextLine()).toMatch(/ GET {4}\/v2\/providers {2}lost {2}\d+ ms$/)
  })

  it('is empty with --log off', async () => {
    const { url, apiKey, child } = await mock('--log', 'off')
    await connectMock(url, apiKey).users.create()
    child.kill('SIGTERM')
    expect(await text(child.stderr)).toBe('')
  })

  it('does not stop the server when nobody reads it', async () => {
    const { url, apiKey } = await mock()
    const headers = { 'x-service-api-key': apiKey }
    const path = `/v2/${'x'.repeat(4000)}`
    for (let count = 0; count < 50; count += 1) {
      const responses = Array.from({ length: 10 }, () => fetch(url + path, { headers }))
      for (const { status } of await Promise.all(responses)) expect(status).toBe(404)
    }
  })
})

it('describes itself at /, to people and to programs', async () => {
  const { url } = await mock()
  const page = await fetch(url, { headers: { accept: 'text/html' } })
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(await page.text()).toContain('<a href="/__mock__/">Inspector</a>')
  expect(await (await fetch(url)).text()).toContain('/__mock__/api/openapi.json')
})

const remoteAddress = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address

it.skipIf(!remoteAddress)(
  'delivers to other machines with --allow-remote-webhooks, also after a restart',
  async () => {
    const received: string[] = []
    const receiver = createServer((request, response) => {
      received.push(String(request.headers['webhook-id']))
      request.resume().on('end', () => response.writeHead(204).end())
    })
    receiver.listen(0, remoteAddress)
    await new Promise((listening) => receiver.once('listening', listening))
    onTestFinished(() => void receiver.close())
    const { port } = Object(receiver.address())
    const url = `http://${remoteAddress}:${port}/events`

    const closed = await mock()
    const refused = connectMock(closed.url, closed.apiKey).webhooks.add({ url })
    await expect(refused).rejects.toThrow('Set allowRemote to true')

    const path = join(temporaryFolder(), 'state.json')
    const first = await mock('--allow-remote-webhooks', '--state', path)
    await connectMock(first.url, 'suite').webhooks.add({ url })
    first.child.kill('SIGTERM')
    await exitCodeOf(first.child)
    const second = await mock('--allow-remote-webhooks', '--state', path)
    const team = connectMock(second.url, 'suite')
    const { id } = await team.trigger('labtest.order.created')
    await team.webhooks.idle()
    expect(received).toEqual([id])
  },
)

it.each([
  // A terminal sends Ctrl+C to all processes, and npm forwards it once more.
  { what: 'Ctrl+C', signal: 'SIGINT', toAll: true },
  { what: 'SIGTERM', signal: 'SIGTERM', toAll: false },
] as const)('stops and saves its state at $what under npx', async ({ signal, toAll }) => {
  const cwd = install()
  const state = join(cwd, 'state.json')
  const words = ['--no', '--', 'health-lab-sdk', 'mock', '--port', '0', '--json', '--state', state]
  const child = spawn('npx', words, { cwd, env, detached: true })
  const group = -Number(child.pid)
  onTestFinished(() => {
    try {
      process.kill(group, 'SIGKILL')
    } catch {
      // They have ended.
    }
  })
  const { url } = await readyOf(child)
  const { user_id } = await connectMock(url, 'suite').users.create()
  process.kill(toAll ? group : Number(child.pid), signal)
  await expect.poll(() => fetch(url).catch(() => 'refused')).toBe('refused')
  const saved = () => readFileSync(state, 'utf8')
  await expect.poll(saved).toContain(user_id)
})

it('ends at Ctrl+C while a long advance and a long query are in progress', async () => {
  const { url, apiKey, child } = await mock('--clock', 'manual')
  const headers = { 'x-service-api-key': apiKey, 'content-type': 'application/json' }
  const send = (path: string, body: object) =>
    fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  for (let user = 0; user < 3; user += 1) await send('/__mock__/api/users', { living: true })
  // Nothing listens there; the deliveries make the advance long.
  await send('/__mock__/api/webhooks', { url: 'http://127.0.0.1:1/events' })
  const now = async () => {
    const response = await fetch(`${url}/__mock__/api/clock`, { headers })
    return ((await response.json()) as { now: string }).now
  }
  const start = await now()
  const where = Array.from({ length: 100 }, (_, at) => `value > ${at + 500}`).join(' OR ')
  const query = {
    select: [{ arg: { heartrate: 'value' }, func: 'mean' }],
    group_by: [{ date_trunc: { unit: 'minute' }, arg: { index: 'heartrate' } }],
    where,
  }
  const timeframe = { type: 'relative', anchor: '2025-06-01', past: { unit: 'day', value: 30 } }
  const sent = Promise.allSettled([
    send(`/aggregate/v1/user/${jane}/query`, { timeframe, queries: Array(20).fill(query) }),
    send('/__mock__/api/clock/advance', { by: '3650d' }),
  ])
  while ((await now()) === start);
  child.kill('SIGINT')
  expect(await exitCodeOf(child)).toBe(0)
  expect((await sent)[1]).toMatchObject({ status: 'rejected' })
})
