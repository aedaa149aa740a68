import { describe, expect, it } from 'vitest'
import { createMock, type Team } from '../../../mock/index.ts'
import { insuranceBody, userId, userInfoBody } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'
import { deep, queryRoute, remoteOf, served } from '../server/served-mock.ts'

describe('a body with many levels', () => {
  const body = `{"info": ${deep(20_000)}}`

  it('gets 422 and leaves the journal, HAR, reproduction and remote handle usable', async () => {
    const server = await served()
    const team = server.mock.defaultTeam
    const remote = remoteOf(server)
    const headers = { 'x-service-api-key': team.apiKey, 'content-type': 'application/json' }
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

  it.each([
    [422, 20_000],
    [413, 5_000_000],
  ])('gets %i from the control API with %i levels', async (status, levels) => {
    const server = await served()
    const headers = { 'x-service-api-key': server.mock.defaultTeam.apiKey }
    const url = `${server.url}/__mock__/api/users`
    const sent = { method: 'POST', headers, body: `{"info": ${deep(levels)}}` }
    expect((await fetch(url, sent)).status).toBe(status)
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

describe('the HAR export', () => {
  const email = 'jane.doe@example.com'

  it('prints no user-supplied name, value, header, parameter, path or method', async () => {
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
    if (!team.users.has(userId)) team.users.create({ user_id: userId })
    team.connections.create({ user_id: userId, provider: 'oura' })
    const response = await call(team, `DELETE /v2/user/${userId}/oura`)
    expect([response.body, response.headers.get('x-extra')]).toEqual([
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

  it('does not block bookings and clock.advance if it never ends', async () => {
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

  it('gets 413 above 64 MiB in process, and its stream is cancelled', async () => {
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
