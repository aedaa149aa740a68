import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { connectMock } from '../../../mock/remote/connect.ts'
import { temporaryFolder } from '../../support/files.ts'
import { exitCodeOf, type Ready, useCommand } from '../../support/programs/command.ts'

const { run, mock } = useCommand()

/** Returns the team of the default key in a state file. */
function savedTeam(path: string) {
  const [team] = JSON.parse(readFileSync(path, 'utf8')).teams
  return team
}

/** Ends a process without a chance to save. */
async function kill({ child }: { child: Parameters<typeof exitCodeOf>[0] }): Promise<void> {
  const ended = exitCodeOf(child)
  child.kill('SIGKILL')
  await ended
}

function getProviders({ url, apiKey }: Ready): Promise<Response> {
  return fetch(`${url}/v2/providers`, { headers: { 'x-service-api-key': apiKey } })
}

it('saves that a GET used up a fault', async () => {
  const path = join(temporaryFolder(), 'state.json')
  const first = await mock('--state', path)
  await connectMock(first.url, first.apiKey).faults.add({
    when: { first: 1 },
    then: { status: 503 },
  })
  await expect.poll(() => savedTeam(path)?.faults).toMatchObject([{ useCount: 0 }])
  expect((await getProviders(first)).status).toBe(503)
  await expect.poll(() => savedTeam(path).faults).toMatchObject([{ useCount: 1 }])
  await kill(first)
  const second = await mock('--state', path)
  expect((await getProviders(second)).status).toBe(200)
})

it('saves a delivery that ended after the request that caused it', async () => {
  const received: ServerResponse[] = []
  const receiver = createServer((request, response) => {
    request.resume()
    received.push(response)
  })
  receiver.listen(0, '127.0.0.1')
  await new Promise((listening) => receiver.once('listening', listening))
  onTestFinished(() => void receiver.close())

  const path = join(temporaryFolder(), 'state.json')
  const first = await mock('--state', path)
  const team = connectMock(first.url, first.apiKey)
  await team.webhooks.add({
    id: 'app',
    url: `http://127.0.0.1:${Object(receiver.address()).port}/`,
  })
  await team.trigger('labtest.order.created')
  const queue = () => savedTeam(path)?.snapshot.webhooks[0]?.queue
  await expect.poll(queue).toHaveLength(1)
  // The state may be saved before the request arrives.
  await expect.poll(() => received).toHaveLength(1)
  received[0]?.writeHead(204).end()
  await expect.poll(queue).toHaveLength(0)
  await kill(first)
  const second = await mock('--state', path)
  await connectMock(second.url, second.apiKey).webhooks.idle()
  expect(received).toHaveLength(1)
})

it('saves the booking of a request that still waits', async () => {
  const path = join(temporaryFolder(), 'state.json')
  const { url, apiKey } = await mock('--state', path)
  const { id } = await connectMock(url, apiKey).orders.create()
  await expect.poll(() => readFileSync(path, 'utf8')).toContain(id)
  fetch(`${url}/v3/order/${id}/phlebotomy/appointment/book`, {
    method: 'POST',
    headers: { 'x-service-api-key': apiKey, 'content-type': 'application/json' },
    body: '{"booking_key": "bk_never"}',
  }).catch(() => {})
  const bookings = () => savedTeam(path).snapshot.bookings.attempts
  await expect.poll(bookings).toMatchObject([{ order_id: id }])
})

it.each([
  ['that exists', '{"format":"health-lab-mock-state","version":1,"seed":"1","teams":[]}'],
  ['that is missing', undefined],
])('follows a symbolic link to a file %s', async (_, content) => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'data'))
  const target = join(folder, 'data/state.json')
  const link = join(folder, 'link.json')
  if (content) writeFileSync(target, content)
  symlinkSync('data/state.json', link)
  const first = await mock('--state', link)
  const { user_id } = await connectMock(first.url, first.apiKey).users.create()
  await expect.poll(() => readFileSync(target, 'utf8')).toContain(user_id)
  expect(lstatSync(link).isSymbolicLink()).toBe(true)
  const { code, err } = await run('mock', '--port', '0', '--state', target)
  expect([code, err]).toEqual([1, expect.stringContaining(`process ${first.child.pid}`)])
})

it('lets only the owner read a new file', async () => {
  const path = join(temporaryFolder(), 'state.json')
  await mock('--state', path)
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

it.each([0o600, 0o640, 0o666])('keeps the mode of a file', async (mode) => {
  const path = join(temporaryFolder(), 'state.json')
  writeFileSync(path, '{"format":"health-lab-mock-state","version":1,"seed":"1","teams":[]}')
  chmodSync(path, mode)
  await mock('--state', path)
  expect(statSync(path).mode & 0o777).toBe(mode)
})

it('deletes the temporary files of killed servers', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'state.json')
  for (const name of ['state.json.1.tmp', 'state.json.99.tmp', 'state.json.mine.tmp']) {
    writeFileSync(join(folder, name), '')
  }
  const { child } = await mock('--state', path)
  child.kill('SIGTERM')
  expect(await exitCodeOf(child)).toBe(0)
  expect(readdirSync(folder).sort()).toEqual(['state.json', 'state.json.mine.tmp'])
})

it('refuses a file that another mock uses, until that mock ends', async () => {
  const path = join(temporaryFolder(), 'state.json')
  const first = await mock('--state', path)
  const { user_id } = await connectMock(first.url, 'suite').users.create()
  const { code, out, err } = await run('mock', '--port', '0', '--state', path)
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain(`is in use by another mock, process ${first.child.pid}. Stop that process`)
  await expect.poll(() => readFileSync(path, 'utf8')).toContain(user_id)
  await kill(first)
  const second = await mock('--state', path)
  expect(await connectMock(second.url, 'suite').users.has(user_id)).toBe(true)
})

it.each([
  { holder: 'of a process that ended', content: '999999999 5' },
  { holder: 'that was not written completely', content: '' },
  { holder: 'of an earlier process whose id is used again', content: `${process.pid} 5` },
])('ignores a lock $holder', async ({ content }) => {
  // Other systems do not show when a process started.
  if (content.startsWith(String(process.pid)) && !existsSync('/proc/1/stat')) return
  const path = join(temporaryFolder(), 'state.json')
  writeFileSync(`${path}.lock`, content)
  const { child } = await mock('--state', path)
  child.kill('SIGTERM')
  expect(await exitCodeOf(child)).toBe(0)
  expect(existsSync(`${path}.lock`)).toBe(false)
})

it('does not delete a file of the user in the place of its lock', async () => {
  const path = join(temporaryFolder(), 'state.json')
  writeFileSync(`${path}.lock`, 'important')
  const { code, err } = await run('mock', '--port', '0', '--state', path)
  expect([code, err]).toEqual([1, expect.stringContaining('is not a lock file of the mock')])
  expect(readFileSync(`${path}.lock`, 'utf8')).toBe('important')
})

it('stops saving when another server takes the file, such as one in another container', async () => {
  const path = join(temporaryFolder(), 'state.json')
  const { url, apiKey, child } = await mock('--state', path, '--log', 'off')
  const errors = text(child.stderr)
  writeFileSync(`${path}.lock`, '7 5')
  writeFileSync(path, 'of the other server')
  await connectMock(url, apiKey).users.create()
  child.kill('SIGTERM')
  expect(await exitCodeOf(child)).toBe(1)
  expect(await errors).toContain('The state was not saved: process 7 is now using')
  expect(readFileSync(path, 'utf8')).toBe('of the other server')
  expect(readFileSync(`${path}.lock`, 'utf8')).toBe('7 5')
})

it('saves and stops when the terminal is closed', async () => {
  const path = join(temporaryFolder(), 'state.json')
  const { url, apiKey, child } = await mock('--state', path)
  const { user_id } = await connectMock(url, apiKey).users.create()
  child.kill('SIGHUP')
  expect(await exitCodeOf(child)).toBe(0)
  expect(readFileSync(path, 'utf8')).toContain(user_id)
})

it('tries a failed save again without another change', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'data/state.json')
  mkdirSync(join(folder, 'data'))
  const { url, apiKey, child } = await mock('--state', path, '--log', 'off')
  renameSync(join(folder, 'data'), join(folder, 'away'))
  const { user_id } = await connectMock(url, apiKey).users.create()
  const failure = await new Promise((resolve) => child.stderr.once('data', resolve))
  expect(String(failure)).toContain('or in 5 s')
  renameSync(join(folder, 'away'), join(folder, 'data'))
  await expect.poll(() => readFileSync(path, 'utf8')).toContain(user_id)
})

it.each(['a folder', 'a device'])('refuses %s', async (kind) => {
  const path = kind === 'a folder' ? temporaryFolder() : '/dev/null'
  const { code, err } = await run('mock', '--port', '0', '--state', path)
  expect([code, err]).toEqual([1, expect.stringContaining('it is not a regular file')])
})

it('deletes teams of the file beyond the limit, like those of requests', async () => {
  const path = join(temporaryFolder(), 'state.json')
  const savedKeys = () =>
    JSON.parse(readFileSync(path, 'utf8')).teams.map((team: { apiKey: string }) => team.apiKey)
  const flags = ['--state', path, '--auto-team-limit', '2']
  const first = await mock(...flags)
  for (const apiKey of ['a', 'b']) await getProviders({ ...first, apiKey })
  first.child.kill('SIGTERM')
  await exitCodeOf(first.child)
  expect(savedKeys()).toEqual([first.apiKey, 'a', 'b'])
  const second = await mock(...flags)
  for (const apiKey of ['a', 'c']) await getProviders({ ...second, apiKey })
  await expect.poll(savedKeys).toEqual([second.apiKey, 'a', 'c'])
})

it('saves what a changed fixture resets', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'state.json')
  const fixture = join(folder, 'people.json')
  writeFileSync(fixture, '{"users": [{}]}')
  const { url, apiKey } = await mock('--state', path, '--fixture', fixture, '--watch')
  const users = () => savedTeam(path)?.snapshot.records.users
  await connectMock(url, apiKey).users.list()
  await connectMock(url, apiKey).clock.advance('1s')
  await expect.poll(users).toHaveLength(1)
  writeFileSync(fixture, '{"users": [{}, {}, {}]}')
  await expect.poll(users).toHaveLength(3)
})

it('sends no event with the id of an event that a killed server had not saved', async () => {
  const path = join(temporaryFolder(), 'state.json')
  const trigger = ({ url, apiKey }: Ready) =>
    connectMock(url, apiKey).trigger('labtest.order.created')
  const first = await mock('--state', path)
  const saved = await trigger(first)
  await expect.poll(() => savedTeam(path)?.snapshot.outbox.count).toBe(1)
  const before = readFileSync(path)
  const lost = await trigger(first)
  await kill(first)
  // The server was killed before the second event was saved.
  writeFileSync(path, before)
  const second = await mock('--state', path)
  const next = await trigger(second)
  expect(next.number).toBe(lost.number)
  expect([saved.id, lost.id]).not.toContain(next.id)
  expect((await connectMock(second.url, second.apiKey).events.list())[0]?.id).toBe(saved.id)
  const ended = exitCodeOf(second.child)
  second.child.kill('SIGTERM')
  await ended
  const third = await mock('--state', path)
  await trigger(third)
  expect(savedTeam(path)?.snapshot.outbox.restarts).toHaveLength(1)
})

it('creates no record with the id of a record that a killed server had not saved', async () => {
  const path = join(temporaryFolder(), 'state.json')
  const ids: string[] = []
  for (let start = 0; start < 4; start += 1) {
    const { url, apiKey, child } = await mock('--state', path)
    const team = connectMock(url, apiKey)
    if (start === 0) await team.users.create()
    await expect.poll(() => savedTeam(path)?.snapshot.records.users).toHaveLength(1)
    const before = readFileSync(path)
    const [order, key] = [await team.orders.create(), await team.bookings.key()]
    ids.push(order.id, key)
    await kill({ child })
    // The server was killed before it saved the order and the key.
    writeFileSync(path, before)
  }
  expect(new Set(ids).size).toBe(8)
})

it('does not reuse the event ids of a team that was lost when the mock was killed', async () => {
  const path = join(temporaryFolder(), 'state.json')
  const ids: string[] = []
  for (let start = 0; start < 3; start += 1) {
    const running = await mock('--state', path)
    const withoutTeam = readFileSync(path, 'utf8')
    const team = connectMock(running.url, 'sk_lost')
    await team.trigger('labtest.order.created')
    ids.push(...(await team.events.list()).map(({ id }) => id))
    await kill(running)
    // As if the mock had been killed before it saved the team.
    writeFileSync(path, withoutTeam)
  }
  expect(new Set(ids).size).toBe(3)
})
