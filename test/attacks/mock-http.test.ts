import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { controlOperations } from '../../mock/control/operations.ts'
import { createMock, MockError, type Team } from '../../mock/index.ts'
import { connectMock } from '../../mock/remote/connect.ts'
import { type MockServer, serve } from '../../mock/server/server.ts'
import { endpoints } from '../../src/contract/endpoints.ts'
import { aggregationFunctions, timeUnits } from '../../src/contract/values/known-values.ts'
import { insuranceBody, recipe, userId, userInfoBody } from '../support/bodies.ts'
import { call } from '../support/call.ts'

const queryRoute = `POST /aggregate/v1/user/${userId}/query`
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

async function served(team?: object): Promise<MockServer> {
  const server = await serve(createMock(team), { gracePeriod: 0, report: () => {} })
  onTestFinished(() => server.close())
  return server
}

function remoteOf({ url, mock }: MockServer) {
  return connectMock(url, mock.defaultTeam.apiKey)
}

describe('a body with many levels', () => {
  const body = `{"info": ${deep(20_000)}}`

  it('gets 422 and leaves journal, HAR, reproduction and remote handle usable', async () => {
    const server = await served()
    const team = server.mock.defaultTeam
    const remote = remoteOf(server)
    const headers = { 'x-service-api-key': team.apiKey }
    const url = `${server.url}/v2/user/${userId}/info`
    expect((await fetch(url, { method: 'PATCH', headers, body })).status).toBe(422)
    const [entry] = await remote.journal.requests()
    expect(entry).toMatchObject({
      outcome: 'responded',
      request: { body },
      response: { status: 422 },
    })
    expect((await remote.journal.har()).log.entries).toHaveLength(1)
    expect(await remote.reproduction()).toContain('createMock(')
    for (const path of [
      '/journal',
      '/journal/1',
      '/journal/summaries',
      '/journal/lines',
      '/pulse',
    ]) {
      expect((await fetch(`${server.url}/__mock__/api${path}`, { headers })).status).toBe(200)
    }
  })

  it.each([20_000, 5_000_000])('gets 422 from the control API with %i levels', async (levels) => {
    const server = await served()
    const headers = { 'x-service-api-key': server.mock.defaultTeam.apiKey }
    const url = `${server.url}/__mock__/api/users`
    const sent = { method: 'POST', headers, body: `{"info": ${deep(levels)}}` }
    expect((await fetch(url, sent)).status).toBe(422)
  })

  it('is accepted up to 100 levels, and brackets inside strings do not count', async () => {
    const team = createMock().team()
    const address = { ...userInfoBody().address, note: '['.repeat(200), more: JSON.parse(deep(98)) }
    const accepted = await call(team, `PATCH /v2/user/${userId}/info`, userInfoBody({ address }))
    expect(accepted.status).toBe(200)
    address.more = JSON.parse(deep(99))
    const rejected = await call(team, `PATCH /v2/user/${userId}/info`, userInfoBody({ address }))
    expect(rejected.body.detail).toMatchObject([{ type: 'json_invalid' }])
  })
})

describe('an aggregate query', () => {
  const timeframe = { type: 'relative', anchor: '2025-06-01', past: { unit: 'day', value: 30 } }
  const select = [{ arg: { sleep: 'score' }, func: 'mean' }]

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'has no column, resource or value named %s',
    async (name) => {
      const team = createMock().team()
      const ask = async (query: string) =>
        (
          await call(
            team,
            queryRoute,
            `{"timeframe": ${JSON.stringify(timeframe)}, "queries": [${query}]}`,
          )
        ).status
      expect(await ask(`{"select": [{"arg": {"sleep": "${name}"}, "func": "mean"}]}`)).toBe(422)
      expect(await ask(`{"select": [{"arg": {"${name}": "score"}, "func": "mean"}]}`)).toBe(422)
      expect(await ask(`{"select": [{"arg": {"${name}": {"toString": 1}}, "func": "mean"}]}`)).toBe(
        422,
      )
      expect(await ask(`{"select": [{"arg": {"sleep": "score"}, "func": "${name}"}]}`)).toBe(422)
      const groups = `"group_by": [{"arg": {"sleep": "${name}"}}]`
      expect(await ask(`{"select": ${JSON.stringify(select)}, ${groups}}`)).toBe(422)
      expect(await ask(`{"select": ${JSON.stringify(select)}, "where": "${name} = 1"}`)).toBe(422)
    },
  )

  it.each([...timeUnits])('bounds a period and a bucket of 10^9 %ss', async (unit) => {
    const team = createMock().team()
    const long = { unit, value: 1e9 }
    const asked = [
      { timeframe: { ...timeframe, past: long }, queries: [{ select }] },
      {
        timeframe,
        queries: [{ select, group_by: [{ date_trunc: long, arg: { index: 'sleep' } }] }],
      },
    ]
    for (const body of asked) {
      const answer = await call(team, queryRoute, body)
      expect([200, 422]).toContain(answer.status)
      const [table] = (answer.body.results ?? []).map((result: { table: object }) => result.table)
      if (table)
        expect(table).toMatchObject({ index: [expect.stringMatching(/^\d{4}-\d\d-\d\dT/)] })
    }
  })

  it.each([
    ['4,000 conditions', Array(4000).fill('score > 0').join(' AND '), 200],
    ['4,000 alternatives', Array(4000).fill('score < 0').join(' OR '), 200],
    ['100,000 ANDs', Array(100_001).fill('score>0').join(' AND '), 422],
    ['a literal of 900 KB', `state = '${'x'.repeat(900_000)}'`, 200],
    ['a literal of 30 MB', `state = '${'x'.repeat(30_000_000)}'`, 422],
    ['a word of 900 KB', `${'x'.repeat(900_000)} = 1`, 422],
    ['100,000 parentheses', '('.repeat(100_000), 422],
    ['100,000 NOTs', `${'NOT '.repeat(100_000)}score > 0`, 200],
    ['100,000 spaces', `score > 0${' '.repeat(100_000)}`, 200],
    ['100,000 quotes', `state = ${"'".repeat(100_000)}`, 200],
  ])('responds to a where of %s', async (_, where, status) => {
    const answer = await call(createMock().team(), queryRoute, {
      timeframe,
      queries: [{ select, where }],
    })
    expect(answer.status).toBe(status)
    expect(JSON.stringify(answer.body).length).toBeLessThan(10_000)
  })

  it('reads a null as unknown in a long chain', async () => {
    const team = createMock().team({ generatedData: false })
    team.data.create({ user_id: userId, resource: 'sleep', values: { score: 80 } })
    const ask = async (where: string) => {
      const { body } = await call(team, queryRoute, { timeframe, queries: [{ select, where }] })
      return body.results[0].table.mean
    }
    expect(await ask('score = 80 AND efficiency > 1 AND score = 80')).toEqual([null])
    expect(await ask('score = 1 OR efficiency > 1 OR score = 80')).toEqual([80])
    expect(await ask('NOT (score = 80 AND efficiency > 1 AND score = 1)')).toEqual([80])
  })

  it('names a bounded number of invalid values, in a small heap', () => {
    const program = `
      import { createMock } from './mock/index.ts'
      const { fetch, baseUrl, apiKey } = createMock().connection()
      const headers = { 'x-service-api-key': apiKey }
      const send = async (path, body) =>
        (await fetch(baseUrl + path, { method: 'POST', headers, body })).status
      const list = (item, count) => '[' + Array(count).fill(item).join() + ']'
      const timeframe = '"timeframe": ${JSON.stringify(timeframe).replaceAll('"', '\\"')}'
      const select = list('{"arg":{"sleep":"none"},"func":"none"}', 50000)
      console.log(
        await send('/v2/link/bulk_import', '{"provider":"oura","connections":' + list(1, 500000) + '}'),
        await send('/aggregate/v1/user/${userId}/query', '{' + timeframe + ',"queries":[{"select":' + select + '}]}'),
        await send('/aggregate/v1/user/${userId}/query', '{' + timeframe + ',"queries":[{"select":' + list(1, 500000) + '}]}'),
      )`
    const parts = ['--max-old-space-size=200', '--input-type=module-typescript', '--eval', program]
    const printed = execFileSync(process.execPath, parts, { encoding: 'utf8', timeout: 60_000 })
    expect(printed.trim()).toBe('422 422 422')
  }, 60_000)

  it('responds to any body with a result of the right shape or 422', async () => {
    const team = createMock().team()
    team.data.create({
      user_id: userId,
      resource: 'weight',
      values: { timestamp: 1e300, value: 1e300 },
    })
    const json = (value: unknown) => JSON.stringify(value)
    const mostly = <T>(usual: readonly T[], rare: readonly T[]) =>
      fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...usual) }, fc.constantFrom(...rare))
    const odd = ['__proto__', 'constructor', 'toString', '', 'index', '1', 'é']
    const column = mostly(
      ['score', 'score', 'source_provider', 'session_end', 'value', 'timestamp'],
      odd,
    )
    const duration = fc.record({
      unit: mostly<string>(timeUnits, odd),
      value: mostly([1, 7, 30, 1e9, Number.MAX_SAFE_INTEGER], [0, -1, 1.5, 1e300]),
    })
    const comparison = fc
      .tuple(
        column,
        fc.constantFrom('=', '<', '<>', 'IS NULL OR 1 ='),
        mostly(['1', '-1e9'], ["'x'", "'", 'NULL', '(']),
      )
      .map((parts) => parts.join(' '))
    const where = fc.oneof(
      fc.array(comparison, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' AND ')),
      fc
        .tuple(comparison, fc.constantFrom(10, 9999))
        .map(([one, count]) => Array(count).fill(one).join(' OR ')),
      fc.string(),
    )
    const query = mostly(['sleep', 'sleep', 'weight'], odd).chain((resource) => {
      const arg = fc.oneof(
        { weight: 9, arbitrary: column.map((name) => `{${json(resource)}:${json(name)}}`) },
        fc.json().map((value) => `{${json(resource)}:${value}}`),
      )
      const item = fc
        .tuple(arg, mostly<string>(aggregationFunctions, odd))
        .map(([of, func]) => `{"arg":${of},"func":${json(func)}}`)
      const group = fc.oneof(
        arg.map((of) => `{"arg":${of}}`),
        duration.map((of) => `{"date_trunc":${json(of)},"arg":{"index":${json(resource)}}}`),
      )
      return fc
        .tuple(
          fc.array(item, { minLength: 1, maxLength: 2 }),
          fc.array(group, { maxLength: 2 }),
          fc.option(where),
        )
        .map(
          ([items, groups, test]) =>
            `{"select":[${items}],"group_by":[${groups}],"where":${json(test)}}`,
        )
    })
    const anchor = mostly(['2025-06-01'], ['0000-01-01', '9999-12-31', '2025-02-30', ''])
    const body = fc
      .tuple(anchor, duration, fc.array(query, { minLength: 1, maxLength: 2 }))
      .map(
        ([day, past, queries]) =>
          `{"timeframe":{"type":"relative","anchor":"${day}","past":${json(past)}},"queries":[${queries}]}`,
      )
    await fc.assert(
      fc.asyncProperty(fc.oneof({ weight: 9, arbitrary: body }, fc.json()), async (sent) => {
        const { status, body: answer } = await call(team, queryRoute, sent)
        expect([200, 422]).toContain(status)
        if (status !== 200) return
        expect(answer.results).toHaveLength(JSON.parse(sent).queries.length)
        for (const { table } of answer.results) {
          const lengths = Object.values<unknown[]>(table).map((values) => values.length)
          expect(new Set(lengths).size).toBe(1)
          expect(Object.keys(table).length).toBeGreaterThan(1)
        }
      }),
      { numRuns: 200 },
    )
  })
})

describe('a blank control token', () => {
  it.each(['', ' ', '\t\n', null as never, 7 as never])('is rejected (%j)', async (token) => {
    await expect(serve(createMock(), { token })).rejects.toMatchObject({
      name: 'MockError',
      code: 'invalid_option',
      message: expect.stringContaining('control token that is not blank'),
    })
  })
})

describe('the HAR export', () => {
  const email = 'jane.doe@example.com'

  it('prints no name, value, header, parameter, path or method of a user', async () => {
    const team = createMock().team()
    const planted = 'zq9secret'
    const address = { ...userInfoBody().address, [email]: planted, [planted]: { [email]: email } }
    const headers = { [`x-${planted}`]: planted, accept: planted, 'retry-after': planted }
    await call(
      team,
      `PATCH /v2/user/${planted}/info`,
      { ...userInfoBody({ address }), [email]: 1 },
      headers,
    )
    await call(team, `GET /v2/providers?${encodeURIComponent(email)}=${planted}`)
    await call(team, `GET /${planted}/${email}?${planted}=${planted}`, undefined, {
      'content-type': planted,
    })
    await call(team, `${planted.toUpperCase()} /v2/providers`)
    await call(team, queryRoute, {
      timeframe: {},
      queries: [{ select: [{ arg: { [email]: email } }] }],
    })
    team.override('users.updateInfo', () => ({
      headers: { [`x-${planted}`]: planted },
      body: { [email]: email },
    }))
    await call(team, `PATCH /v2/user/${planted}/info`, userInfoBody())
    const har = JSON.stringify(await team.journal.har()).toLowerCase()
    for (const secret of [email, planted, team.apiKey, 'jane']) expect(har).not.toContain(secret)
  })

  it('keeps the names of the specification', async () => {
    const team = createMock().team()
    await call(team, `POST /v2/user/${userId}/insurance`, insuranceBody())
    await call(team, queryRoute, {
      timeframe: { type: 'relative', anchor: '2025-06-01', past: { unit: 'day', value: 7 } },
      queries: [{ select: [{ arg: { sleep: 'score' }, func: 'mean' }] }],
    })
    const [insurance, query] = (await team.journal.har()).log.entries
    expect(JSON.parse(insurance?.request.postData?.text ?? '')).toMatchObject({
      payor_code: 'string',
      insured: { address: { zip: 'string' } },
    })
    expect(JSON.parse(insurance?.response.content.text ?? '')).toMatchObject({
      company: { name: 'string' },
    })
    expect(insurance?.response.headers).toContainEqual({
      name: 'content-type',
      value: 'application/json',
    })
    expect(JSON.parse(query?.request.postData?.text ?? '')).toMatchObject({
      queries: [{ select: [{ arg: { sleep: 'string' } }] }],
    })
    expect(JSON.parse(query?.response.content.text ?? '')).toMatchObject({
      results: [{ table: { index: ['string'], mean: ['number'] } }],
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

describe('an override', () => {
  it('cannot change later responses or the request', async () => {
    const team = createMock().team()
    const attempts: string[] = []
    team.override('link.listProviders', ({ body }, context) => {
      const spoil = [
        () => body.reverse(),
        () => Object.assign(body[0] ?? {}, { name: 'spoilt' }),
        () => Object.assign(context.query, { source_type: 'spoilt' }),
      ]
      for (const change of spoil) expect(change).toThrow(TypeError)
      attempts.push(context.operation)
      return {}
    })
    const first = await call(team, 'GET /v2/providers')
    expect((await call(team, 'GET /v2/providers')).body).toEqual(first.body)
    expect(attempts).toHaveLength(2)
    expect(team.journal.last()?.request.query).toEqual({})
  })

  it('does not share the object that it returns', async () => {
    const team = createMock().team()
    const body = { success: true, list: [1] }
    team.override('link.deleteConnection', () => ({ body }))
    team.override('link.deleteConnection', (response) => ({
      ...response,
      headers: { 'X-Extra': 'yes' },
    }))
    team.connections.create({ user_id: userId, provider: 'oura' })
    const answer = await call(team, `DELETE /v2/user/${userId}/oura`)
    expect([answer.body, answer.headers.get('x-extra')]).toEqual([
      { success: true, list: [1] },
      'yes',
    ])
    body.list.push(2)
    expect(team.journal.last()?.response?.body).toEqual({ success: true, list: [1] })
    expect(Object.isFrozen(body)).toBe(false)
  })

  it('gets its own copy of bytes', async () => {
    const team = createMock().team()
    const { id } = team.orders.create()
    const read = () => call(team, `GET /v3/order/${id}/requisition/pdf`)
    const original = (await read()).body
    const takeBack = team.override(
      'orders.downloadRequisition',
      ({ body }) => void body.fill(0) as never,
    )
    expect((await read()).body).toBe(original)
    takeBack()
  })

  const cycle: Record<string, unknown> = {}
  cycle['self'] = cycle
  it.each<[string, unknown]>([
    ['a promise', Promise.resolve({ status: 201 })],
    ['text', 'text'],
    ['status 99', { status: 99 }],
    ['status 200.5', { status: 200.5 }],
    ['a header that cannot be sent', { headers: { 'x\n': 'y' } }],
    ['a BigInt', { body: 1n }],
    ['a cycle', { body: cycle }],
    ['a function', { body: () => 1 }],
    ['20,000 levels', { body: JSON.parse(deep(20_000)) }],
  ])('that returns %s fails with a MockError', async (_, returned) => {
    const team = createMock().team()
    team.override('link.listProviders', () => returned as never)
    await expect(call(team, 'GET /v2/providers')).rejects.toMatchObject({
      name: 'MockError',
      code: 'invalid_option',
    })
    expect((await team.journal.har()).log.entries).toHaveLength(1)
  })

  it('that returns nothing, or undefined fields, changes nothing', async () => {
    const team = createMock().team()
    const { body } = await call(team, 'GET /v2/providers')
    team.override('link.listProviders', () => undefined as never)
    team.override('link.listProviders', () => ({ body: undefined, status: undefined }) as never)
    expect(await call(team, 'GET /v2/providers')).toMatchObject({ status: 200, body })
  })
})

describe('the body of a request', () => {
  const chunk = new Uint8Array(1024 * 1024).fill(0x20)

  function endless(pull: (controller: ReadableStreamDefaultController<Uint8Array>) => void) {
    let isCancelled = false
    const cancel = () => {
      isCancelled = true
    }
    return {
      stream: new ReadableStream<Uint8Array>({ pull, cancel }),
      isCancelled: () => isCancelled,
    }
  }

  function send(
    team: Team,
    body: ReadableStream<Uint8Array>,
    signal?: AbortSignal,
  ): Promise<Response> {
    const { apiKey, baseUrl, fetch } = team.connection()
    const headers = { 'x-service-api-key': apiKey }
    const init = { method: 'PATCH', headers, body, duplex: 'half', ...(signal ? { signal } : {}) }
    return fetch(`${baseUrl}/v2/user/${userId}/info`, init as RequestInit)
  }

  it('that never ends does not block bookings and clock.advance', async () => {
    const team = createMock().team()
    const leaving = new AbortController()
    const { stream } = endless(() => new Promise(() => {}))
    const stuck = send(team, stream, leaving.signal)
    const { id } = team.orders.create()
    const booked = await call(team, `POST /v3/order/${id}/phlebotomy/appointment/book`, {
      booking_key: 'bk_confirm_after_3s',
    })
    expect(booked.status).toBe(200)
    await team.clock.advance('1h')
    leaving.abort()
    await expect(stuck).rejects.toThrow()
    expect(team.journal.lines()[0]).toBe('users.updateInfo aborted')
    await team.clock.advance('1h')
  })

  it('gets the usual response when it arrives slowly', async () => {
    const team = createMock().team()
    const { id } = team.orders.create()
    let deliver = () => {}
    const { stream } = endless(
      (controller) =>
        new Promise<void>((resolve) => {
          deliver = () => {
            controller.enqueue(new TextEncoder().encode(JSON.stringify(userInfoBody())))
            controller.close()
            resolve()
          }
        }),
    )
    const slow = send(team, stream)
    await call(team, `POST /v3/order/${id}/phlebotomy/appointment/book`, {
      booking_key: 'bk_confirm_after_3s',
    })
    deliver()
    expect((await slow).status).toBe(200)
    expect(team.journal.lines()).toEqual([
      'users.updateInfo 200',
      'orders.bookPhlebotomyAppointment 200',
    ])
  })

  it('of more than 64 MiB gets 413 in process, and its stream is cancelled', async () => {
    const team = createMock().team()
    const { stream, isCancelled } = endless((controller) => controller.enqueue(chunk))
    expect((await send(team, stream)).status).toBe(413)
    expect(isCancelled()).toBe(true)
    expect(team.journal.lines()).toEqual(['users.updateInfo 413'])
    const { status } = await call(
      team,
      `PATCH /v2/user/${userId}/info`,
      ' '.repeat(64 * 1024 * 1024 + 1),
    )
    expect(status).toBe(413)
  })

  it('is not read for an unknown route', async () => {
    const team = createMock().team()
    const { apiKey, baseUrl, fetch } = team.connection()
    const { stream } = endless(() => new Promise(() => {}))
    const init = {
      method: 'POST',
      headers: { 'x-service-api-key': apiKey },
      body: stream,
      duplex: 'half',
    }
    expect((await fetch(`${baseUrl}/nowhere`, init as RequestInit)).status).toBe(404)
  })
})

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '',
    '.',
    '..',
    '__proto__',
    'constructor',
    '%',
    '%2e%2e',
    '%E0%A4%A',
    '\0',
    '/',
    '//',
    userId,
    '1',
    '-1',
    '1e9',
    'true',
    'null',
  ),
)

/** A path of an endpoint with odd parameters, or any other. */
function paths(templates: readonly string[]): fc.Arbitrary<string> {
  const filled = fc
    .tuple(fc.constantFrom(...templates), fc.infiniteStream(fc.oneof(fc.constant(userId), oddText)))
    .map(([template, values]) =>
      template.replace(/\{\w+\}/g, () => encodeURIComponent(values.next().value.toWellFormed())),
    )
  return fc.oneof(
    { weight: 5, arbitrary: filled },
    fc.webPath(),
    oddText.map((odd) => `/${odd}`),
  )
}

/** Any value, and often one that is nearly right. */
function bodies(samples: readonly object[]): fc.Arbitrary<string> {
  const spoilt = fc
    .tuple(
      fc.constantFrom(...samples),
      fc.array(fc.tuple(oddText, fc.jsonValue()), { maxLength: 2 }),
    )
    .chain(([sample, extra]) => {
      const keys = [...Object.keys(sample), 'none']
      return fc.tuple(fc.constantFrom(...keys), fc.jsonValue()).map(([key, value]) =>
        JSON.stringify({
          ...sample,
          [key]: key === 'none' ? 1 : value,
          ...Object.fromEntries(extra),
        }),
      )
    })
  const whole = fc.constantFrom(...samples).map((sample) => JSON.stringify(sample))
  const levels = fc.constantFrom(...samples).map((sample) => {
    return JSON.stringify(sample).replace('{', `{"none":${deep(20_000)},`)
  })
  return fc.oneof({ weight: 3, arbitrary: spoilt }, whole, fc.json(), oddText, levels)
}

const queries = fc
  .dictionary(
    fc.oneof(
      fc.constantFrom(
        'page',
        'size',
        'lab_id',
        'lab_slug',
        'name',
        'a_la_carte_enabled',
        'next_cursor',
        'page_size',
        'lab_test_limit',
        'start_date',
        'end_date',
        'provider',
        'lab_account_id',
        'expires',
        'signature',
        'last',
        'after',
        'on',
      ),
      oddText,
    ),
    fc.oneof(fc.constantFrom('2025-06-01', '1', 'true'), oddText),
    { maxKeys: 3 },
  )
  .map((fields) => String(new URLSearchParams(fields)))

const methods = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE') },
  fc.constantFrom('HEAD', 'OPTIONS', 'QUERY', '__proto__', 'get'),
)

describe('any request', () => {
  const serviceBodies = [
    userInfoBody(),
    insuranceBody(),
    { provider: 'oura', connections: [recipe(userId)] },
    { booking_key: 'bk_confirm' },
    { lab_test_ids: [userId], add_on: { provider_ids: ['1'] } },
    {
      timeframe: { type: 'relative', anchor: '2025-06-01', past: { unit: 'day', value: 7 } },
      queries: [{ select: [{ arg: { sleep: 'score' }, func: 'mean' }] }],
    },
  ]
  const requests = fc.record({
    method: methods,
    path: paths([...endpoints.map(({ path }) => path), '/requisitions/{ordinal}/{id}.pdf']),
    query: queries,
    body: fc.option(bodies(serviceBodies), { nil: undefined }),
    headers: fc.dictionary(
      fc.constantFrom(
        'accept',
        'content-type',
        'x-request-id',
        'x-idempotency-key',
        'content-length',
      ),
      fc.oneof(fc.constant('application/json'), fc.string({ maxLength: 10 })),
    ),
  })

  /** What the specification documents: 500 is the outcome of a booking alone. */
  function expectDocumented(status: number, path: string): void {
    expect(status).toBeGreaterThanOrEqual(200)
    if (status >= 500) expect(path).toMatch(/appointment\/book$/)
  }

  it('gets a documented status from the mock in process, and stays in its journal', async () => {
    const mock = createMock()
    const { apiKey, baseUrl, fetch } = mock.connection()
    await fc.assert(
      fc.asyncProperty(requests, async ({ method, path, query, body, headers }) => {
        const url = `${baseUrl}${path}?${query}`
        if (!URL.canParse(url)) return
        const sent = { 'x-service-api-key': apiKey, ...headers }
        if (!isSendable(sent)) return
        const init = { method, headers: sent, ...(body === undefined ? {} : { body }) }
        const response = await fetch(url, init)
        expectDocumented(response.status, path)
        const content = await response.text()
        if (response.headers.get('content-type') === 'application/json') JSON.parse(content)
      }),
      { numRuns: 600 },
    )
    const { journal } = mock.defaultTeam
    expect(JSON.stringify(await journal.har())).toContain('"version":"1.2"')
    expect(journal.requests().filter(({ outcome }) => outcome !== 'responded')).toEqual([])
    expect(JSON.stringify(mock.defaultTeam.reproduction()).length).toBeGreaterThan(100)
  }, 30_000)

  it('to the control API gets no server error', async () => {
    const server = await served()
    const { apiKey } = server.mock.defaultTeam
    const samples = [
      { user_id: userId },
      { user_id: userId, provider: 'oura' },
      { user_id: userId, resource: 'sleep', values: { score: 80 } },
      { on: '*', when: { nth: 1 }, then: { latency: 1 } },
      { mode: 'auto' },
      { by: 1 },
      { to: '2025-06-01T10:00:00Z' },
      { outcome: 'confirm', after: '1s' },
      { event_type: 'daily.data.sleep.created', overrides: {} },
      { status: 'cancelled' },
      { sign_in_token: 'none' },
    ]
    // It waits for requests that never come.
    const templates = controlOperations
      .map(({ endpoint }) => endpoint.path)
      .filter((path) => path !== '/clock/when_waiting')
    await fc.assert(
      fc.asyncProperty(
        methods,
        paths(templates),
        queries,
        bodies(samples),
        async (method, path, query, body) => {
          const url = `${server.url}/__mock__/api${path}?${query}`
          if (!URL.canParse(url) || ['HEAD', 'OPTIONS', '__proto__', 'get'].includes(method)) return
          const init = {
            method,
            headers: { 'x-service-api-key': apiKey },
            ...(method === 'GET' ? {} : { body }),
          }
          const response = await fetch(url, init)
          expect(
            response.status,
            `${method} ${path} ${body}: ${await response.text()}`,
          ).toBeLessThan(500)
        },
      ),
      { numRuns: 500 },
    )
  }, 30_000)

  it('over a raw socket gets a response or a closed connection, and the server keeps running', async () => {
    const server = await served()
    const { port } = new URL(server.url)
    const { apiKey } = server.mock.defaultTeam
    const targets = [
      '*',
      '/',
      '//',
      '/%',
      '/%00',
      '/?',
      '/__mock__',
      '/__mock__/api/users/..',
      '/__mock__/api/%2e%2e',
      'http://[',
      'http://other/v2/providers',
      '/v2/providers#x',
      `/${'a/'.repeat(4000)}`,
      `/v2/user/${'%'.repeat(4000)}/info`,
      '/v2/providers?'.padEnd(8000, '&=%'),
    ]
    for (const target of targets) {
      for (const method of ['GET', 'POST', 'OPTIONS', 'QUERY', 'CONNECT', 'NONSENSE']) {
        const socket: Socket = connect(Number(port), '127.0.0.1')
        socket.end(
          `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nx-service-api-key: ${apiKey}\r\nConnection: close\r\n\r\n`,
        )
        socket.on('error', () => {})
        const [head = ''] = (await text(socket).catch(() => '')).split('\r\n')
        expect(head, `${method} ${target.slice(0, 40)}`).toMatch(/^(?:HTTP\/1\.1 [234]\d\d .*)?$/)
      }
    }
    expect(
      (await fetch(`${server.url}/v2/providers`, { headers: { 'x-service-api-key': apiKey } }))
        .status,
    ).toBe(200)
  })
})

describe('a large aggregate request', () => {
  const timeframe = { type: 'relative', anchor: '2025-06-01', past: { unit: 'year', value: 3 } }
  const query = (unit: string) => ({
    select: [{ arg: { activity: 'steps' }, func: 'mean' }],
    group_by: [{ date_trunc: { unit, value: 1 }, arg: { index: 'activity' } }],
  })

  it('gets 422 for more than 100 queries', async () => {
    const team = createMock().team()
    const bodyOf = (count: number) => ({ timeframe, queries: Array(count).fill(query('year')) })
    expect((await call(team, queryRoute, bodyOf(100))).status).toBe(200)
    const { status, body } = await call(team, queryRoute, bodyOf(101))
    expect(status).toBe(422)
    expect(body.detail[0].msg).toContain('at most 100 queries')
  })

  it('gets 422 for more than 2,000,000 cells in all results', async () => {
    const team = createMock().team()
    const minutes = {
      select: [{ arg: { heartrate: 'value' }, func: 'mean' }],
      group_by: [{ date_trunc: { unit: 'minute', value: 1 }, arg: { index: 'heartrate' } }],
    }
    const queries = Array(100).fill(minutes)
    const { status, body } = await call(team, queryRoute, { timeframe, queries })
    expect(status).toBe(422)
    expect(body.detail[0].msg).toContain('2000000 cells')
  })
})

describe('user data with a key $bytes', () => {
  it.each(['**', 'AAAA'])(
    'reaches the remote handle unchanged with the value %s',
    async (value) => {
      const remote = remoteOf(await served())
      const data = { $bytes: value, $$bytes: 1, $other: [{ $bytes: value }] }
      const event = await remote.trigger('my.c', { data })
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

function isSendable(headers: Record<string, string>): boolean {
  try {
    return Boolean(new Headers(headers))
  } catch {
    return false
  }
}
