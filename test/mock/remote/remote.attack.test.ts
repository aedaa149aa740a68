import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMock, MockError } from '../../../mock/index.ts'
import { connectMock } from '../../../mock/remote/connect.ts'
import { serve } from '../../../mock/server/server.ts'
import { deep, remoteOf, served } from '../server/served-mock.ts'

describe('a blank control token', () => {
  it.each(['', ' ', '\t\n', null as never, 7 as never])('is rejected (%j)', async (token) => {
    await expect(serve(createMock(), { token })).rejects.toMatchObject({
      name: 'MockError',
      code: 'invalid_option',
      message: expect.stringContaining('non-blank control token'),
    })
  })
})

/** Listens on a free port of this machine with plain HTTP. */
async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('connectMock', () => {
  it.each([
    '',
    'nonsense',
    'ftp://127.0.0.1',
    '127.0.0.1:4010',
    'http://',
    'http://user:pass@127.0.0.1',
    'http://127.0.0.1/?query',
    'http://127.0.0.1/#hash',
    undefined as never,
    null as never,
    {} as never,
  ])('rejects the URL %j', (url) => {
    expect(() => connectMock(url, 'key')).toThrow(
      expect.objectContaining({ name: 'MockError', code: 'invalid_option' }),
    )
  })

  it.each([
    ['key', 'a\nb', {}],
    ['key', '\u{1F600}', {}],
    ['token', 'key', { token: 'a\r\nb' }],
    ['timeout', 'key', { timeout: 0 }],
    ['timeout', 'key', { timeout: Number.NaN }],
  ])('rejects an unusable %s', (_, key, options) => {
    expect(() => connectMock('http://127.0.0.1:4010', key, options)).toThrow(
      expect.objectContaining({ name: 'MockError', code: 'invalid_option' }),
    )
  })

  it.each([
    '',
    '.',
    '..',
    '%2e%2e',
    '../journal',
    '..%2fjournal',
    '/',
    '\\',
    '?',
    '#',
    '\ud800',
    '\0',
    '%',
    'é',
  ])('finds no record with the key %j, and sends no request to another endpoint', async (key) => {
    const server = await served()
    const remote = remoteOf(server)
    await remote.users.create()
    expect(await remote.users.get(key)).toBeUndefined()
    expect(await remote.users.has(key)).toBe(false)
    expect(await remote.users.delete(key)).toBe(false)
    expect(await remote.connections.get(key, key)).toBeUndefined()
    expect(await remote.bulkOps.get(key)).toBeUndefined()
    expect(await remote.webhooks.remove(key)).toBe(false)
    await expect(remote.users.update(key, { info: null })).rejects.toMatchObject({
      code: 'unknown_record',
    })
    await expect(remote.orders.complete(key)).rejects.toMatchObject({ name: 'MockError' })
    await expect(remote.appointments.transition(key, 'cancelled')).rejects.toMatchObject({
      name: 'MockError',
    })
    expect(await remote.users.size()).toBe(1)
  })

  it('rejects values outside JSON with a MockError', async () => {
    const remote = remoteOf(await served())
    const cycle: Record<string, unknown> = {}
    cycle['self'] = cycle
    for (const odd of [
      1n,
      cycle,
      {
        toJSON: () => {
          throw new Error('no')
        },
      },
      JSON.parse(deep(50_000)),
    ]) {
      const call = remote.users.create({ user_id: odd as never })
      await expect(call).rejects.toMatchObject({ name: 'MockError', code: 'invalid_option' })
    }
    await expect(remote.bookings.next(undefined as never)).rejects.toMatchObject({
      name: 'MockError',
    })
    await expect(remote.users.list({ nonsense: 1 } as never)).rejects.toMatchObject({
      name: 'MockError',
    })
  })

  const mockHeaders = { 'x-request-id': 'req_0', 'content-type': 'application/json' }
  it.each<[string, RequestListener]>([
    ['HTML', (_, response) => response.end('<!doctype html>')],
    [
      'HTML in the name of a mock',
      (_, response) => response.writeHead(200, mockHeaders).end('<!doctype html>'),
    ],
    ['null', (_, response) => response.writeHead(200, mockHeaders).end('null')],
    ['a list of null', (_, response) => response.writeHead(200, mockHeaders).end('[null]')],
    ['a number', (_, response) => response.writeHead(200, mockHeaders).end('7')],
    ['nothing', (_, response) => response.writeHead(200, mockHeaders).end()],
    ['broken bytes', (_, response) => response.writeHead(200, mockHeaders).end('{"$bytes":"*"}')],
    ['an error of null', (_, response) => response.writeHead(500).end('null')],
    [
      'an error with odd details',
      (_, response) => response.writeHead(422).end('{"detail":[null,{"loc":7}],"code":{}}'),
    ],
    [
      'a redirect',
      (_, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
    ],
    [
      'half a body',
      (_, response) =>
        response
          .writeHead(200, { ...mockHeaders, 'content-length': '9' })
          .write('{', () => response.destroy()),
    ],
    ['a reset', (request) => void request.socket.resetAndDestroy()],
    ['silence', () => {}],
    [
      'a head and silence',
      (_, response) => void response.writeHead(200, mockHeaders).flushHeaders(),
    ],
  ])('rejects with a MockError when the server sends %s', async (_, listener) => {
    const team = connectMock(await listening(listener), 'key', { timeout: 200 })
    const calls: Promise<unknown>[] = [
      team.users.get('id'),
      team.users.list(),
      team.users.delete('id'),
      team.clock.pending(),
      team.clock.runToNext(),
      team.faults.list(),
      team.journal.requests(),
      team.journal.lines(),
      team.events.list(),
      team.webhooks.list(),
      team.reproduction(),
      team.trigger('daily.data.sleep.created'),
    ]
    const kinds = (await Promise.allSettled(calls)).map(
      (result) => result.status === 'rejected' && result.reason,
    )
    for (const reason of kinds) expect(reason).toBeInstanceOf(MockError)
  })

  it('rejects with a MockError when nothing listens', async () => {
    const probe = createTcpServer().listen(0, '127.0.0.1')
    await once(probe, 'listening')
    const { port } = probe.address() as AddressInfo
    probe.close()
    const call = connectMock(`http://127.0.0.1:${port}`, 'key').users.list()
    await expect(call).rejects.toMatchObject({ name: 'MockError', code: 'unreachable' })
  })
})

describe('user data with a key $bytes', () => {
  it.each(['**', 'AAAA'])(
    'reaches the remote handle unchanged with the value %s',
    async (value) => {
      const remote = remoteOf(await served())
      const data = { $bytes: value, $$bytes: 1, $other: [{ $bytes: value }] }
      const event = await remote.trigger('my.c', { data }, { unknown: true })
      expect(event).toMatchObject({ body: { data } })
      expect(await remote.events.list()).toMatchObject([{ body: { data } }])
      const { apiKey, baseUrl } = remote.connection()
      const headers = { 'x-service-api-key': apiKey }
      const body = JSON.stringify(data)
      await fetch(`${baseUrl}/v2/link/bulk_import`, { method: 'POST', headers, body })
      expect(await remote.journal.requests()).toMatchObject([{ request: { body: data } }])
    },
  )
})

describe('an invalid argument of connectMock', () => {
  it.each<[string, unknown[]]>([
    ['options of null', ['key', null]],
    ['an unknown option', ['key', { tiemout: 5 }]],
    ['a token that is a number', ['key', { token: 5 }]],
    ['no key', [undefined]],
    ['a key of null', [null]],
    ['a key that is a number', [5]],
    ['an empty key', ['']],
  ])('is rejected: %s', (_, [key, options]) => {
    const connectTo = () => connectMock('http://127.0.0.1:1', key as never, options as never)
    expect(connectTo).toThrow(expect.objectContaining({ code: 'invalid_option' }))
  })
})

describe('an odd response to the remote handle', () => {
  const head = { 'x-request-id': 'req_0', 'content-type': 'application/json' }

  it.each([
    '{"detail":[{"loc":[{"toString":1}],"msg":{"toString":1}}]}',
    '{"detail":"no","code":"zzz"}',
    '{"detail":"no","code":"toString"}',
  ])('rejects with a MockError of a known code: %s', async (body) => {
    const url = await listening((_, response) => response.writeHead(422, head).end(body))
    const failed = connectMock(url, 'key').users.list()
    await expect(failed).rejects.toMatchObject({ name: 'MockError', code: 'invalid_option' })
  })

  it('rejects an object without a booking key', async () => {
    const url = await listening((_, response) => response.writeHead(200, head).end('{}'))
    const failed = connectMock(url, 'key').bookings.key()
    await expect(failed).rejects.toMatchObject({ name: 'MockError', code: 'unreachable' })
  })
})

describe('a booking outcome of null', () => {
  it('gets 422 from the control API', async () => {
    const { url, mock } = await served()
    const headers = { 'x-service-api-key': mock.defaultTeam.apiKey }
    const init = { method: 'PATCH', headers, body: '{"bookingOutcome": null}' }
    expect((await fetch(`${url}/__mock__/api/settings`, init)).status).toBe(422)
  })
})
