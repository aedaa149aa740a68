import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  createMock,
  type DueEvent,
  type Fault,
  MockError,
  type Snapshot,
  type Team,
  type TimeSpan,
} from '../../mock/index.ts'
import { serve } from '../../mock/server/server.ts'
import { recipe, userId, userInfoBody } from '../support/bodies.ts'
import { call } from '../support/call.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const latest = 8.64e15

function book(team: Team, order: string, booking_key = 'bk_never', more: object = {}) {
  const route = `POST /v3/order/${order}/phlebotomy/appointment/book`
  return call(team, route, { booking_key, ...more })
}

const inBackground = { async_confirmation: true, sync_confirmation_timeout_millisecond: 1000 }

/** A team whose next due event fails, because the order of a booking is missing. */
function failingTeam(options: Parameters<ReturnType<typeof createMock>['team']>[0] = {}) {
  const team = createMock().team({ clock: 'manual', ...options })
  const order = team.orders.create()
  // Only a defect of the mock makes an event fail, so the test simulates one.
  vi.spyOn(team.appointments, 'create').mockImplementation(() => {
    throw new TypeError('defect in the appointment')
  })
  return { team, order: order.id }
}

describe('an error in a due event', () => {
  it('fails the booking that waits for it and the advance, and time continues', async () => {
    const { team, order } = failingTeam()
    const waiting = book(team, order, 'bk_confirm_after_5s')
    const failed = expect(waiting).rejects.toMatchObject({
      code: 'failed_event',
      message: expect.stringMatching(/booking\.outcome .*defect in the appointment/),
    })
    await team.clock.whenWaiting()
    await expect(team.clock.advance('1h')).rejects.toMatchObject({ code: 'failed_event' })
    await failed
    expect(team.clock.now()).toEqual(new Date('2025-06-01T10:00:00Z'))
    expect(team.journal.last()?.failures).toEqual([expect.stringContaining('defect')])
  })

  it('fails the booking in the mode auto', async () => {
    const { team, order } = failingTeam({ clock: 'auto' })
    await expect(book(team, order, 'bk_confirm_after_5s')).rejects.toBeInstanceOf(MockError)
  })

  it('does not affect other bookings', async () => {
    const { team, order } = failingTeam()
    const other = team.orders.create().id
    const failed = expect(book(team, order, 'bk_confirm_after_5s')).rejects.toThrow('defect')
    const rest = book(team, other, 'bk_fail_after_9s')
    await team.clock.whenWaiting(2)
    await expect(team.clock.advance('1h')).rejects.toThrow('defect')
    await failed
    expect((await rest).status).toBe(500)
  })

  it('is reported, and does not end the process, in real time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const reported = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { team, order } = failingTeam({ clock: 'realtime' })
    const { status } = await pendingBooking(team, order)
    expect(status).toBe(200)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(reported).toHaveBeenCalledWith(expect.objectContaining({ code: 'failed_event' }))
    expect(team.clock.now().getTime()).toBeGreaterThan(0)
  })

  /** A booking in the background whose confirmation fails. */
  async function pendingBooking(team: Team, order: string) {
    vi.mocked(team.appointments.create).mockRestore()
    const waiting = book(team, order, 'bk_confirm_after_30s', inBackground)
    await team.clock.whenWaiting()
    await vi.advanceTimersByTimeAsync(1000)
    const answer = await waiting
    vi.spyOn(team.appointments, 'transition').mockImplementation(() => {
      throw new TypeError('defect in the appointment')
    })
    return answer
  }

  it('does not end the process of a served mock', () => {
    const { status, stdout } = child(`
      import { serve } from '../../mock/server/server.ts'
      const server = await serve({}, { report: () => console.log('reported') })
      const team = server.mock.team({ apiKey: 'key' })
      const { id } = team.orders.create()
      team.configure({ synchronousBookingTimeout: '30ms' })
      team.appointments.create = () => { throw new TypeError('defect') }
      const body = JSON.stringify({ booking_key: 'bk_confirm_after_20ms' })
      const headers = { 'x-service-api-key': 'key', 'content-type': 'application/json' }
      const url = server.url + '/v3/order/' + id + '/phlebotomy/appointment/book'
      const response = await fetch(url, { method: 'POST', headers, body })
      console.log(response.status)
      console.log((await fetch(server.url + '/v2/providers', { headers })).status)
      await server.close()
    `)
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'reported\n500\n200\n' })
  })
})

describe('a booking', () => {
  it('fails at once when its order is deleted while a request waits for it', async () => {
    const team = createMock().team({ clock: 'manual' })
    const { id } = team.orders.create()
    const waiting = book(team, id, 'bk_confirm_after_5s')
    await team.clock.whenWaiting()
    team.orders.delete(id)
    expect(await waiting).toMatchObject({
      status: 500,
      body: { detail: 'The appointment could not be booked' },
    })
    expect(team.clock.pending()).toEqual([])
    await team.clock.advance('1h')
    expect(team.appointments.size).toBe(0)
  })

  it.each(['completed', 'cancelled.at_home_phlebotomy.cancelled'])(
    'ends when its order becomes %s',
    async (status) => {
      const team = createMock().team({ clock: 'manual' })
      const { id } = team.orders.create()
      const waiting = book(team, id)
      await team.clock.whenWaiting()
      team.orders.update(id, { status })
      expect((await waiting).status).toBe(500)
      expect(team.clock.pending()).toEqual([])
    },
  )

  it.each(['completed', 'in_progress', 'cancelled'] as const)(
    'ends when its pending appointment is changed to %s',
    async (status) => {
      const team = createMock().team()
      const { id } = team.orders.create()
      const { body } = await book(team, id, 'bk_never', inBackground)
      team.appointments.update(body.id, { status })
      expect(team.clock.pending()).toEqual([])
      await team.clock.advance('48h')
      expect(team.appointments.get(body.id)?.status).toBe(status)
    },
  )

  it('continues when other fields of its order or appointment change', async () => {
    const team = createMock().team()
    const { id } = team.orders.create()
    const { body } = await book(team, id, 'bk_confirm_after_60s', inBackground)
    team.appointments.update(body.id, { appointment_notes: 'bell' })
    team.orders.update(id, { updated_at: '2025-06-01T09:00:00Z' })
    await team.clock.advance('1m')
    expect(team.appointments.get(body.id)).toMatchObject({
      status: 'confirmed',
      appointment_notes: 'bell',
    })
  })

  it.each([
    { outcome: 'maybe' },
    { outcome: 'fail', after: -1 },
    { outcome: 'fail', later: '1s' },
    null,
  ])('cannot end as %j', (outcome) => {
    const team = createMock().team()
    // Callers without types can pass any value.
    expect(() => team.bookings.next(outcome as never)).toThrow(MockError)
    expect(() => createMock({ bookingOutcome: outcome as never })).toThrow(MockError)
  })

  it('does not keep used keys', async () => {
    const team = createMock().team()
    const before = team.snapshot().bookings.keys.length
    const key = team.bookings.key()
    await book(team, team.orders.create().id, key)
    expect(team.snapshot().bookings.keys).toHaveLength(before)
    expect((await book(team, team.orders.create().id, key)).status).toBe(400)
  })
})

it('ends the wait for an import when it is aborted', async () => {
  const team = createMock().team({ clock: 'manual', importTimePerConnection: '1s' })
  const body = { provider: 'oura', connections: [recipe(userId)], wait_for_completion: true }
  const waiting = call(team, 'POST /v2/link/bulk_import', body)
  await team.clock.whenWaiting()
  team.bulkOps.abort(team.bulkOps.list()[0]?.id ?? '')
  expect((await waiting).status).toBe(202)
})

it('continues an import when the time per connection changes', async () => {
  const team = createMock().team({ importTimePerConnection: '1s' })
  const connections = [recipe(userId), recipe(userId)]
  await call(team, 'POST /v2/link/bulk_import', { provider: 'oura', connections })
  team.configure({ importTimePerConnection: 0 })
  await team.clock.advance('1s')
  expect(team.bulkOps.list()[0]).toMatchObject({ processed: 1, status: 'in_progress' })
})

/** A team with data in every part of its state. */
async function fullTeam(): Promise<Team> {
  const team = createMock({ seed: 3 }).team({ importTimePerConnection: '1s' })
  await call(team, `PATCH /v2/user/${userId}/info`, userInfoBody())
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const handler = () => new Response(null, { status: 500 })
  team.webhooks.add({ id: 'one', secret, handler, delay: '3s' })
  await book(team, team.orders.create({ user_id: userId }).id, 'bk_never', inBackground)
  const connections = [recipe(userId), recipe(userId)]
  await call(team, 'POST /v2/link/bulk_import', { provider: 'oura', connections })
  team.data.create({ user_id: userId, resource: 'sleep', values: { score: 81 } })
  team.catalogue.markers.delete(1001)
  team.bookings.key({ expiresIn: '1h' })
  team.bookings.next({ outcome: 'fail', after: '3s' })
  await team.clock.advance('4s')
  team.orders.complete(team.orders.list()[0]?.id ?? '')
  return team
}

describe('restore', () => {
  const poisons: Record<string, (snapshot: Snapshot & Record<string, unknown>) => void> = {
    'no clock': (s) => void Reflect.deleteProperty(s, 'clock'),
    'an odd mode': (s) => Object.assign(s, { clock: 'warp' }),
    'an odd now': (s) => Object.assign(s, { now: 'soon' }),
    'a now outside the calendar': (s) => Object.assign(s, { now: '+999999-01-01T00:00:00Z' }),
    'an odd ordinal': (s) => Object.assign(s, { ordinal: 'constructor' }),
    'odd random words': (s) => Object.assign(s.random, { words: [1, 2, 3, -4] }),
    'no list of due events': (s) => Object.assign(s, { due: {} }),
    'an unknown due event': (s) => void s.due.push({ at: 1, type: 'x', subject: 'a' } as never),
    'a due event named like a built-in': (s) =>
      void s.due.push({ at: 1, type: 'constructor', subject: 'a' } as never),
    'a due event without a time': (s) =>
      void s.due.push({ type: 'import.end', subject: 'a' } as never),
    'a due event outside the calendar': (s) =>
      void s.due.push({ at: 9e15, type: 'import.end', subject: 'a' }),
    'records that are no list': (s) => Object.assign(s.records, { users: {} }),
    'a record that is none': (s) => void s.records['users']?.push(['constructor', 5 as never]),
    'a record under another key': (s) => {
      const [, user] = s.records['users']?.[0] ?? []
      s.records['users']?.push(['__proto__', user ?? null])
    },
    'a record twice': (s) => void s.records['users']?.push(s.records['users'][0] as never),
    'a record without its fields': (s) =>
      void s.records['orders']?.push(['constructor', { id: 'constructor' }]),
    'a booking of no order': (s) => {
      s.bookings.attempts.push({ ...attempt, order_id: 'constructor' })
    },
    'an odd end of a booking': (s) => {
      s.bookings.attempts.push({ ...attempt, outcome: 'maybe' as never })
    },
    'an odd script': (s) =>
      void s.bookings.script.push({ outcome: 'fail', after: 'soon' as never }),
    'an import of fewer connections': (s) => Object.assign(s.imports[0] ?? {}, { total: 0 }),
    'an import that is none': (s) => void s.imports.push('x' as never),
    'more events than there are': (s) => Object.assign(s.outbox.batches[0] ?? {}, { count: 1e12 }),
    'events of no kind': (s) =>
      Object.assign(s.outbox.batches[0] ?? {}, { emission: { kind: 'constructor' } }),
    'a bad secret': (s) => Object.assign(s.webhooks[0] ?? {}, { secret: 'whsec_short!' }),
    'a webhook to a file': (s) => Object.assign(s.webhooks[0] ?? {}, { url: 'file:///etc/hosts' }),
    'types that are no list': (s) => Object.assign(s.webhooks[0] ?? {}, { types: 'daily.*' }),
    'an odd delay': (s) => Object.assign(s.webhooks[0] ?? {}, { delay: 'soon' }),
    'the same webhook twice': (s) => void s.webhooks.push(s.webhooks[0] as never),
  }
  const attempt = {
    id: 'a',
    order_id: '',
    appointment_notes: null,
    is_async: false,
    outcome: 'never' as const,
  }

  it.each(Object.keys(poisons))(
    'leaves the team as it was for a snapshot with %s',
    async (name) => {
      const team = await fullTeam()
      const poisoned = structuredClone(team.snapshot()) as Snapshot & Record<string, unknown>
      poisons[name]?.(poisoned)
      await team.clock.advance('1s')
      const before = team.snapshot()
      expect(() => team.restore(poisoned)).toThrow(
        expect.objectContaining({ name: 'MockError', code: 'invalid_snapshot' }),
      )
      expect(team.snapshot()).toEqual(before)
    },
  )

  it('restores exactly what snapshot returned, also through JSON', async () => {
    const team = await fullTeam()
    const snapshot = team.snapshot()
    team.restore(JSON.parse(JSON.stringify(snapshot)))
    expect(team.snapshot()).toEqual(snapshot)
    const other = createMock({ seed: 9 }).team({ clock: 'manual' })
    other.restore(snapshot)
    expect(other.snapshot()).toEqual(snapshot)
  })

  it('restores records that are named like built-ins', async () => {
    const team = createMock().team()
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      team.users.create({ user_id: name, info: null })
      team.orders.create({ id: name, user_id: name })
    }
    const snapshot = JSON.parse(JSON.stringify(team.snapshot()))
    const other = createMock().team()
    other.restore(snapshot)
    expect(other.users.get('__proto__')).toMatchObject({ user_id: '__proto__' })
    expect(other.snapshot()).toEqual(snapshot)
    expect(await book(other, 'constructor', 'bk_confirm')).toMatchObject({ status: 422 })
  })

  it.each([
    ['with a URL of this machine', { url: 'http://127.0.0.1:9/' }],
    ['with a function', { handler: () => new Response() }],
    ['with a URL elsewhere', { url: 'https://allowed.example/', allowRemote: true }],
  ])('sends nothing to another machine over a webhook %s', async (_, target) => {
    const sent = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response())
    const team = createMock().team()
    team.webhooks.add({ id: 'one', ...target })
    const snapshot = team.snapshot()
    Object.assign(snapshot.webhooks[0] ?? {}, { url: 'https://evil.example/collect' })
    team.restore(snapshot)
    team.trigger('daily.data.sleep.created')
    await team.webhooks.idle()
    expect(sent).not.toHaveBeenCalled()
    expect(team.webhooks.get('one')?.pending).toBeGreaterThan(0)
  })

  it('sends nothing for a handler that is missing', async () => {
    const sent = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response())
    const team = createMock().team()
    team.webhooks.add({ id: 'one', url: 'http://127.0.0.1:9/' })
    const snapshot = team.snapshot()
    Object.assign(snapshot.webhooks[0] ?? {}, { url: null })
    team.restore(snapshot)
    team.trigger('daily.data.sleep.created')
    await team.webhooks.idle()
    expect(sent).not.toHaveBeenCalled()
  })

  it('creates no team from a reproduction that is invalid', () => {
    const mock = createMock()
    const { settings } = mock.team()
    const before = mock.teams().length
    const bad = { apiKey: 'new', settings, faults: [], snapshot: {} as Snapshot }
    expect(() => mock.reproduce(bad)).toThrow(MockError)
    expect(mock.teams()).toHaveLength(before)
  })
})

describe('the mode of the clock and the number of the team', () => {
  it('are in a snapshot, and are restored and reset', async () => {
    const team = createMock().team({ clock: 'manual' })
    const snapshot = team.snapshot()
    team.clock.mode = 'auto'
    team.restore(snapshot)
    expect(team.clock.mode).toBe('manual')
    team.clock.mode = 'auto'
    team.reset()
    expect(team.clock.mode).toBe('manual')
  })

  it('are in a reproduction, so that its signed URLs work', async () => {
    const mock = createMock({ seed: 5 })
    mock.team()
    const team = mock.team()
    const user = team.users.create()
    const order = team.orders.create({ user_id: user.user_id })
    team.clock.mode = 'manual'
    const url = urlOf(team, order.id)
    const make = new Function('createMock', `return ${team.reproduction()}`)
    let made: ReturnType<typeof createMock> | undefined
    const again = make((options: object) => {
      made = createMock(options)
      return made
    }) as Team
    expect(again.clock.mode).toBe('manual')
    expect(urlOf(again, order.id)).toBe(url)
    expect((await made?.fetch(url))?.status).toBe(200)
    expect((await mock.fetch(url)).status).toBe(200)
    again.reset()
    team.reset()
    expect(again.snapshot()).toEqual(team.snapshot())
  })

  function urlOf(team: Team, id: string): string {
    team.orders.update(id, { status: `seen ${team.orders.get(id)?.status}` })
    const data = team.events.last('labtest.order.updated')?.body['data']
    return (data as { requisition_form_url: string }).requisition_form_url
  }
})

describe('an advance in progress', () => {
  it.each(['reset', 'restore'] as const)('stops at a %s', async (what) => {
    const team = createMock().team({ clock: 'manual' })
    const { id } = team.orders.create()
    const snapshot = team.snapshot()
    await call(team, 'GET /v2/providers')
    const waiting = book(team, id, 'bk_confirm_after_30s').catch((error) => error)
    await team.clock.whenWaiting()
    const moves = [team.clock.advance('1h'), team.clock.advance('2h'), team.clock.runToNext()]
    if (what === 'reset') team.reset()
    else team.restore(snapshot)
    const order = team.orders.create()
    const pending = book(team, order.id, 'bk_never', inBackground).catch((error) => error)
    await team.clock.whenWaiting()
    await Promise.all(moves)
    expect(await waiting).toMatchObject({ code: 'invalid_state' })
    expect(team.clock.now()).toEqual(new Date('2025-06-01T09:00:00Z'))
    await team.clock.advance('1s')
    expect((await pending).body.status).toBe('pending')
  })
})

describe('a webhook handler', () => {
  const moves: [string, (team: Team) => Promise<unknown>][] = [
    ['clock.advance', (team) => team.clock.advance('1s')],
    ['clock.advanceTo', (team) => team.clock.advanceTo('2030-01-01')],
    ['clock.runToNext', (team) => team.clock.runToNext()],
    ['webhooks.idle', (team) => team.webhooks.idle()],
  ]

  it.each(moves)('cannot call %s, which would wait for it', async (name, move) => {
    const team = createMock().team()
    let rejected: unknown
    team.webhooks.add({
      handler: async () => {
        await new Promise(setImmediate)
        rejected = await move(team).catch((error) => error)
        return new Response()
      },
    })
    team.trigger('daily.data.sleep.created')
    await team.clock.advance('1h')
    expect(rejected).toMatchObject({
      code: 'invalid_state',
      message: expect.stringContaining(`${name}() cannot run inside a webhook handler`),
    })
    rejected = undefined
    team.trigger('daily.data.sleep.created')
    await team.webhooks.idle()
    expect(rejected).toBeInstanceOf(MockError)
  })

  it('does not stop other code that moves time', async () => {
    const team = createMock().team()
    let arrived = () => {}
    const running = new Promise<void>((resolve) => {
      arrived = resolve
    })
    team.webhooks.add({
      handler: async () => {
        arrived()
        for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
        return new Response()
      },
    })
    team.trigger('daily.data.sleep.created')
    const first = team.clock.advance('1s')
    await running
    await Promise.all([first, team.clock.advance('2s'), team.webhooks.idle()])
    expect(team.clock.now()).toEqual(new Date('2025-06-01T09:00:02Z'))
  })

  it('can start work that moves time later, and can use another team', async () => {
    const mock = createMock()
    const [team, other] = [mock.team(), mock.team()]
    let later: Promise<void> | undefined
    team.webhooks.add({
      handler: async () => {
        await other.clock.advance('1s')
        later = new Promise(setImmediate).then(() => team.clock.advance('1s'))
        return new Response()
      },
    })
    team.trigger('daily.data.sleep.created')
    await team.clock.advance('1h')
    await later
    expect(team.webhooks.list()[0]?.deliveries()).toMatchObject([{ outcome: 'delivered' }])
  })

  it('cannot move time without AsyncLocalStorage either', () => {
    const { stdout, status } = child(`
      delete process.getBuiltinModule
      const { createMock } = await import('../../mock/index.ts')
      const team = createMock().team()
      team.webhooks.add({ handler: async () => {
        await team.clock.advance('1s').catch(({ code }) => console.log(code))
        return new Response()
      } })
      team.trigger('daily.data.sleep.created')
      await team.clock.advance('1h')
    `)
    expect({ stdout, status }).toEqual({ stdout: 'invalid_state\n', status: 0 })
  })
})

describe('options', () => {
  const spans = ['99999999999d', '1e3', Number.NaN, -1, -0.5, 1e21, [5], {}, null, true]
  it.each(spans.map((span) => [span]))('cannot have a time span of %j', async (span) => {
    const team = createMock().team()
    const odd = span as TimeSpan
    await expect(team.clock.advance(odd)).rejects.toMatchObject({ code: 'invalid_time' })
    expect(() => team.faults.add({ then: { latency: odd } })).toThrow(MockError)
    expect(() => team.configure({ signInTokenLifetime: odd })).toThrow(MockError)
    expect(team.clock.now()).toEqual(new Date('2025-06-01T09:00:00Z'))
  })

  const instants = [latest + 1, Number.NaN, Number.POSITIVE_INFINITY, 'fault 1', '2025-02-30']
  it.each([...instants, null, true, ['2030-01-01'], '+999999-01-01'].map((one) => [one]))(
    'are rejected the moment %j',
    async (instant) => {
      const odd = instant as string
      const team = createMock().team()
      await expect(team.clock.advanceTo(odd)).rejects.toMatchObject({ code: 'invalid_time' })
      expect(() => createMock({ now: odd })).toThrow(MockError)
      expect(() => team.faults.add({ during: { from: odd }, then: 'html' })).toThrow(MockError)
    },
  )

  it('read a string without an offset as UTC, in every time zone', () => {
    const team = createMock().team({ now: '2025-06-01T09:00:00' })
    expect(team.clock.now()).toEqual(new Date('2025-06-01T09:00:00Z'))
  })

  const faults: unknown[] = [
    { when: { first: 1, nth: 2 }, then: 'html' },
    { when: {}, then: 'html' },
    { when: { first: '1' }, then: 'html' },
    { when: null, then: 'html' },
    { when: { probability: '0.5' }, then: 'html' },
    { when: { probability: Number.NaN }, then: 'html' },
    { on: 5, then: 'html' },
    { when: { first: 1 }, than: 'html' },
    { during: { from: '2030-01-01', until: '2025-01-01' }, then: 'html' },
    { during: { till: '2025-01-01' }, then: 'html' },
    { during: 'always', then: 'html' },
    { then: { status: 503, latency: '1s' } },
    { then: { status: 503, retryAfterAs: 'minutes' } },
    { then: { status: 503, body: () => 1 } },
    { then: { rateLimit: { requests: -1, per: '1s' } } },
    { then: { rateLimit: { requests: 1.5, per: '1s' } } },
    { then: { rateLimit: { requests: 1, per: 0 } } },
    { then: { rateLimit: null } },
    { then: { redirect: 5 } },
    { then: { constructor: 1 } },
    { then: null },
    {},
    null,
  ]
  it.each(faults.map((fault) => [fault]))('cannot have the fault %j', (fault) => {
    const team = createMock().team()
    expect(() => team.faults.add(fault as unknown as Fault)).toThrow(MockError)
    expect(team.faults.list()).toEqual([])
  })

  const settings: object[] = [
    { journalLimit: -1 },
    { journalLimit: Number.NaN },
    { journalBytes: '1 MB' },
    { outboxLimit: 1.5 },
    { aggregate: 'yes' },
    { oauthCredentials: 'oura' },
    { oauthCredentials: [5] },
    { regionalPayors: { MEDFED: { AZ: 5 } } },
    { regionalPayors: { OTHER: {} } },
    { regionalPayors: null },
    { clock: 'warp' },
    { autoTeamLimit: 0 },
  ]
  it.each(settings.map((options) => [options]))('of a mock cannot be %j', (options) => {
    expect(() => createMock(options as never)).toThrow(MockError)
  })

  it('of the clock are rejected if they are invalid', async () => {
    const { clock } = createMock().team()
    expect(() => Object.assign(clock, { mode: 'warp' })).toThrow(MockError)
    await expect(clock.whenWaiting(Number.NaN)).rejects.toBeInstanceOf(MockError)
    await expect(clock.whenWaiting(-1)).rejects.toBeInstanceOf(MockError)
  })

  it.each([{ types: 'daily.*' }, { types: [5] }, { secret: 5 }, { concurrency: 0 }, { id: 5 }])(
    'of a webhook cannot be %j',
    (options) => {
      const { webhooks } = createMock().team()
      const handler = () => new Response()
      expect(() => webhooks.add({ handler, ...options } as never)).toThrow(MockError)
      expect(webhooks.list()).toEqual([])
    },
  )

  it('and records are rejected if they cannot be copied', () => {
    const team = createMock().team()
    const odd = { info: () => 1 } as never
    expect(() => team.users.create(odd)).toThrow(MockError)
    team.users.create({ user_id: 'big', info: { first_name: 1n as never } })
    expect(() => team.snapshot()).toThrow(MockError)
  })
})

it('has a typed union of due events', () => {
  const event: DueEvent = { at: 1, type: 'import.end', subject: 'a' }
  // @ts-expect-error A typo does not compile.
  event.type = 'import.ends'
  expect(event.at).toBe(1)
})

describe('the end of the calendar', () => {
  it('is the latest moment', async () => {
    const team = createMock().team()
    await team.clock.advanceTo(latest)
    expect(team.clock.now().getTime()).toBe(latest)
    await expect(team.clock.advance(1)).rejects.toMatchObject({
      code: 'invalid_time',
      message: expect.stringContaining('after the latest time that a Date can hold'),
    })
    expect(team.clock.now().getTime()).toBe(latest)
    team.reset()
    expect(team.clock.now()).toEqual(new Date('2025-06-01T09:00:00Z'))
  })

  it('rejects a booking, latency or import that would end after it', async () => {
    const team = createMock().team({ importTimePerConnection: '100000000d' })
    const { id } = team.orders.create()
    const connections = [recipe(userId), recipe(userId)]
    const late = [
      book(team, id, 'bk_confirm_after_9999999999999999h'),
      book(team, id, 'bk_confirm_after_2400000000h'),
      call(team, 'POST /v2/link/bulk_import', { provider: 'oura', connections }),
    ]
    for (const { reason } of (await Promise.allSettled(late)) as PromiseRejectedResult[]) {
      expect(reason).toMatchObject({ code: 'invalid_time' })
    }
    expect(team.clock.pending()).toEqual([])
    expect((await book(team, id, 'bk_confirm')).status).toBe(200)
    team.faults.add({ then: { latency: '100000000d' } })
    await expect(call(team, 'GET /v2/providers')).rejects.toMatchObject({ code: 'invalid_time' })
  })
})

describe('a pattern of event types', () => {
  it('with many stars takes no time', () => {
    const team = createMock().team()
    const type = `${'ab'.repeat(5000)}`
    team.trigger(type)
    const started = performance.now()
    expect(team.events.list(`${'*'.repeat(24)}x`)).toEqual([])
    expect(team.events.list(`${'*a'.repeat(2000)}x`)).toEqual([])
    expect(team.events.list(`${'*a*b'.repeat(2000)}*`)).toHaveLength(1)
    // A generous limit for a busy machine; a regular expression took 20 s with 24 stars.
    expect(performance.now() - started).toBeLessThan(5000)
  })

  it('matches as a regular expression would', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), maxLength: 8 })
    const types = fc.string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 1, maxLength: 10 })
    fc.assert(
      fc.property(letters, types, (pattern, type) => {
        const team = createMock().team()
        team.trigger(type)
        const parts = pattern.split('*').map((part) => part.replaceAll('.', '\\.'))
        const isMatch = new RegExp(`^${parts.join('.*')}$`).test(type)
        expect(team.events.list(pattern)).toHaveLength(isMatch ? 1 : 0)
      }),
      { numRuns: 300 },
    )
  })
})

describe('memory', () => {
  it('of the journal is bounded by bytes', async () => {
    const team = createMock().team({ journalBytes: 100_000 })
    const body = { ...userInfoBody(), padding: 'x'.repeat(30_000) }
    for (let sent = 0; sent < 10; sent += 1) {
      await call(team, `PATCH /v2/user/${userId}/info`, body)
    }
    expect(team.journal.requests().map(({ number }) => number)).toEqual([8, 9, 10])
    expect(team.journal.count).toBe(10)
    await call(team, `PATCH /v2/user/${userId}/info`, { ...body, padding: 'x'.repeat(200_000) })
    expect(team.journal.lines()).toEqual(['users.updateInfo 200'])
    await call(team, 'GET /v2/providers')
    expect(team.journal.lines()).toEqual(['link.listProviders 200'])
  })

  it('of a small heap is enough for many large requests', () => {
    const { status, stdout } = child(
      `
      const { createMock } = await import('../../mock/index.ts')
      const team = createMock().team()
      const { apiKey, baseUrl, fetch } = team.connection()
      const headers = { 'x-service-api-key': apiKey, 'content-type': 'application/json' }
      for (let sent = 0; sent < 30; sent += 1) {
        const body = JSON.stringify({ padding: ['x'.repeat(5_000_000), sent] })
        await fetch(baseUrl + '/v2/user/u/info', { method: 'PATCH', headers, body })
      }
      console.log(team.journal.count, team.journal.requests().length)
    `,
      '--max-old-space-size=110',
    )
    expect({ status, stdout }).toEqual({ status: 0, stdout: '30 6\n' })
  })

  it('of teams that requests created is bounded, and teams of tests stay', async () => {
    await using server = await serve({ autoTeamLimit: 3 })
    const { mock, url } = server
    const held = mock.team({ apiKey: 'held' })
    const request = async (key: string) =>
      (await fetch(`${url}/v2/providers`, { headers: { 'x-service-api-key': key } })).text()
    for (const key of ['a', 'b', 'c', 'a', 'held', 'd', 'e']) await request(key)
    const keys = mock.teams().map(({ apiKey }) => apiKey)
    expect(keys.slice(1)).toEqual(['held', 'a', 'd', 'e'])
    expect(held.journal.count).toBe(1)
    const first = mock.teamOf('a')
    for (const key of ['f', 'g', 'h', 'i']) await request(key)
    await request('a')
    expect(first?.journal.count).toBe(3)
  })

  it('of thousands of keys fits in a small heap', () => {
    const { status, stdout } = child(
      `
      const { createMock } = await import('../../mock/index.ts')
      const mock = createMock()
      for (let key = 0; key < 6000; key += 1) mock.getOrCreateTeam('key ' + key)
      console.log(mock.teams().length)
    `,
      '--max-old-space-size=80',
    )
    expect({ status, stdout }).toEqual({ status: 0, stdout: '1001\n' })
  })
})

describe('deleteTeam', () => {
  it('deletes a team: its key is unknown, and waiting requests fail', async () => {
    const mock = createMock()
    const team = mock.team({ clock: 'manual' })
    const waiting = expect(book(team, team.orders.create().id)).rejects.toBeInstanceOf(MockError)
    await team.clock.whenWaiting()
    expect(mock.deleteTeam(team.apiKey)).toBe(true)
    await waiting
    expect(mock.deleteTeam(team.apiKey)).toBe(false)
    expect((await call(team, 'GET /v2/providers')).status).toBe(401)
    expect(mock.team().apiKey).not.toBe(team.apiKey)
    expect(() => mock.deleteTeam(mock.defaultTeam.apiKey)).toThrow(MockError)
  })

  it('leaves no timer of a clock in real time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const mock = createMock()
    const team = mock.team({ clock: 'realtime' })
    const waiting = book(team, team.orders.create().id).catch(() => {})
    await team.clock.whenWaiting()
    mock.deleteTeam(team.apiKey)
    await waiting
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a random sequence of calls', () => {
  const steps = fc.oneof(
    fc.constant('create' as const),
    fc.constant('delete' as const),
    fc.constant('book' as const),
    fc.constant('bookAsync' as const),
    fc.constant('deleteAppointment' as const),
    fc.constant('patch' as const),
    fc.constant('transition' as const),
    fc.constant('import' as const),
    fc.constant('advance' as const),
    fc.constant('runToNext' as const),
    fc.constant('snapshot' as const),
    fc.constant('restore' as const),
    fc.constant('reset' as const),
    fc.constant('trigger' as const),
  )
  const statuses = [
    'pending',
    'reserved',
    'confirmed',
    'in_progress',
    'completed',
    'cancelled',
  ] as const

  it('throws only MockErrors, always ends, and restores its snapshots', async () => {
    const spans = fc.constantFrom<TimeSpan>(0, '1s', '2500ms', '15m', '48h', '99999999999d')
    const modes = fc.constantFrom('auto' as const, 'manual' as const)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(steps, fc.nat(20), spans), { maxLength: 25 }),
        modes,
        async (story, clock) => {
          const team = createMock().team({ clock, importTimePerConnection: '700ms' })
          team.webhooks.add({ handler: () => new Response(null, { status: 500 }), delay: '1s' })
          await play(team, story)
        },
      ),
      { numRuns: 60 },
    )
  })

  type Story = [
    step: typeof steps extends fc.Arbitrary<infer Step> ? Step : never,
    at: number,
    span: TimeSpan,
  ][]

  async function play(team: Team, story: Story): Promise<void> {
    const kept: Snapshot[] = []
    const open: Promise<unknown>[] = []
    const tolerate = (error: unknown) => {
      if (!(error instanceof MockError)) throw error
    }
    for (const [step, at, span] of story) {
      try {
        const started = begin(team, kept, step, at, span)
        open.push(Promise.resolve(started).catch(tolerate))
        if (step === 'advance' || step === 'runToNext') await started
      } catch (error) {
        tolerate(error)
      }
    }
    await team.clock.advance('30d').catch(tolerate)
    await Promise.all(open)
    const snapshot = team.snapshot()
    team.restore(snapshot)
    expect(team.snapshot()).toEqual(snapshot)
  }

  function begin(team: Team, kept: Snapshot[], step: Story[0][0], at: number, span: TimeSpan) {
    const orders = team.orders.list()
    const order = orders[at % Math.max(1, orders.length)]?.id ?? 'none'
    const appointments = team.appointments.list()
    const appointment = appointments[at % Math.max(1, appointments.length)]?.id ?? 'none'
    const status = statuses[at % statuses.length] ?? 'pending'
    switch (step) {
      case 'create':
        return void team.orders.create({ user_id: userId })
      case 'delete':
        return void team.orders.delete(order)
      case 'book':
        return book(team, order, ['bk_confirm_after_3s', 'bk_never', 'bk_fail_after_1s'][at % 3])
      case 'bookAsync':
        return book(team, order, ['bk_confirm_after_60s', 'bk_never'][at % 2], inBackground)
      case 'deleteAppointment':
        return void team.appointments.delete(appointment)
      case 'patch':
        return void team.appointments.update(appointment, { status })
      case 'transition':
        return void team.appointments.transition(appointment, status)
      case 'import':
        return call(team, 'POST /v2/link/bulk_import', {
          provider: 'oura',
          connections: [recipe(userId), recipe(userId)],
          wait_for_completion: at % 2 === 0,
        })
      case 'advance':
        return team.clock.advance(span)
      case 'runToNext':
        return team.clock.runToNext()
      case 'snapshot':
        return void kept.push(team.snapshot())
      case 'restore': {
        const snapshot = kept[at % Math.max(1, kept.length)]
        if (!snapshot) return undefined
        team.restore(snapshot)
        expect(team.snapshot()).toEqual(snapshot)
        return undefined
      }
      case 'reset':
        return void team.reset()
      case 'trigger':
        return void team.trigger('daily.data.sleep.created', { user_id: userId })
    }
  }
})

/** Runs a program in a new process. */
function child(program: string, ...options: string[]) {
  const source = program.replaceAll("'../../mock/", `'${new URL('../../mock/', import.meta.url)}`)
  const { status, stdout } = spawnSync(
    process.execPath,
    [...options, '--input-type=module', '--eval', source],
    { encoding: 'utf8', timeout: 15_000, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  return { status, stdout }
}

describe('a booking whose order gets another appointment', () => {
  it.each(['confirmed', 'pending'])('fails when a test creates one that is %s', async (status) => {
    const team = createMock().team({ clock: 'manual' })
    const { id: order_id } = team.orders.create()
    const waiting = book(team, order_id, 'bk_confirm_after_5s')
    await team.clock.whenWaiting()
    const { id } = team.appointments.create({ order_id, status })
    await team.clock.advance('1h')
    expect((await waiting).status).toBe(500)
    expect(team.appointments.list().map((appointment) => appointment.id)).toEqual([id])
  })

  it('continues when a test creates a cancelled one', async () => {
    const team = createMock().team({ clock: 'manual' })
    const { id: order_id } = team.orders.create()
    const waiting = book(team, order_id, 'bk_confirm_after_5s')
    await team.clock.whenWaiting()
    team.appointments.create({ order_id, status: 'cancelled' })
    await team.clock.advance('1h')
    expect((await waiting).status).toBe(200)
  })
})

describe('whenWaiting in a webhook handler', () => {
  it('rejects at once instead of waiting without end', async () => {
    const team = createMock().team({ clock: 'manual' })
    const errors: unknown[] = []
    team.webhooks.add({
      handler: async () => {
        await team.clock.whenWaiting(1).catch((error) => errors.push(error))
        return new Response()
      },
    })
    team.trigger('daily.data.sleep.created')
    await team.clock.advance('1s')
    expect(errors).toEqual([expect.objectContaining({ code: 'invalid_state' })])
  })
})

describe('an option of the mock', () => {
  it.each<[string, object]>([
    ['a seed that is an object', { seed: {} }],
    ['a seed that is not a number', { seed: Number.NaN }],
    ['a base URL that is a number', { baseUrl: 5 }],
    ['a base URL without a scheme', { baseUrl: 'x' }],
  ])('is rejected for %s', (_, options) => {
    expect(() => createMock(options)).toThrow(expect.objectContaining({ code: 'invalid_option' }))
  })

  it.each([5, '', ' ', 'a\nb', 'a\u0100'])('is rejected for the API key %j', (apiKey) => {
    const options = { apiKey } as object
    const rejected = expect.objectContaining({ code: 'invalid_option' })
    expect(() => createMock().team(options)).toThrow(rejected)
    expect(() => createMock(options)).toThrow(rejected)
  })

  it('is rejected for a booking outcome of null', () => {
    const options = { bookingOutcome: null } as object
    const rejected = expect.objectContaining({ code: 'invalid_option' })
    expect(() => createMock().defaultTeam.configure(options)).toThrow(rejected)
  })
})

describe('the limit of the journal in bytes', () => {
  it('counts the headers of requests and responses', async () => {
    const team = createMock({ journalBytes: 100_000 }).defaultTeam
    for (let sent = 0; sent < 5; sent += 1) {
      await call(team, 'GET /v2/providers', undefined, { 'x-large': 'a'.repeat(60_000) })
    }
    expect(team.journal.requests()).toHaveLength(1)
    team.journal.clear()
    team.override('link.listProviders', () => ({ headers: { 'x-large': 'a'.repeat(60_000) } }))
    for (let sent = 0; sent < 5; sent += 1) await call(team, 'GET /v2/providers')
    expect(team.journal.requests()).toHaveLength(1)
  })
})
