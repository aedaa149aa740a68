import { afterEach, describe, expect, it, vi } from 'vitest'
import type { FaultState } from '../../../mock/faults/faults.ts'
import {
  createMock,
  type Fault,
  MockError,
  type Snapshot,
  type Team,
  type TimeSpan,
} from '../../../mock/index.ts'
import { serve } from '../../../mock/server/server.ts'
import { present } from '../../../src/shared/narrow.ts'
import { recipe, userId, userInfoBody } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'
import { runsOf } from '../../support/long-tests.ts'
import { fc } from '../../support/properties.ts'
import { book, child, inBackground } from '../teams.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
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
    'a due event after the last time of the clock': (s) =>
      void s.due.push({ at: 1e15, type: 'order.progress', subject: 'a' }),
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
    'an import that ends after the last time of the clock': (s) =>
      Object.assign(s.imports[0] ?? {}, { ends: 1e15 }),
    'a queued import that will end after the last time of the clock': (s) => {
      const ends = Date.parse('9000-01-01T00:00:00Z')
      const run = { ...present(s.imports[0]), total: 0, processed: 0, recipes: [], ends }
      for (const id of ['a', 'b']) s.imports.push({ ...run, id, status: 'in_progress' })
    },
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
    'leaves the team unchanged for a snapshot with %s',
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
  ])('sends nothing to another machine through a webhook %s', async (_, target) => {
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

  it.each([{ id: 'x' }, { counts: null }, { useCount: -1 }, { window: null }])(
    'creates no team from a fault with the state %j',
    (state) => {
      const mock = createMock()
      const team = mock.team()
      const fault: Fault = { then: 'html' }
      const faults = [{ id: 1, fault, counts: {}, useCount: 0, ...state } as unknown as FaultState]
      const { settings } = team
      const bad = { apiKey: 'new', settings, faults, snapshot: team.snapshot() }
      expect(() => mock.reproduce(bad)).toThrow(expect.objectContaining({ code: 'invalid_option' }))
    },
  )
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

  it('stays small during many large requests', () => {
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

  it('stays small with thousands of keys', () => {
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
    const waiting = expect(book(team, team.orders.create().id)).rejects.toMatchObject({
      code: 'invalid_state',
      message: expect.stringContaining('restored or deleted while the request was waiting.'),
    })
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
      { numRuns: runsOf(60) },
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
