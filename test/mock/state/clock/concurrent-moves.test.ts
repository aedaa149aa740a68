import { describe, expect, it, vi } from 'vitest'
import { createMock, type Team } from '../../../../mock/index.ts'
import { TeamClock } from '../../../../mock/state/clock/clock.ts'
import { userId } from '../../../support/bodies.ts'
import { call } from '../../../support/call.ts'

const start = Date.parse('2025-06-01T09:00:00Z')
const event = 'daily.data.sleep.created'

/** Returns the code of the error of a promise; undefined if it resolves. */
function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  return promise.then(
    () => undefined,
    ({ code }) => code,
  )
}

/** Two teams whose handlers run these moves, and the codes of their errors. */
function teamsWithHandlers(moves: (first: Team, second: Team) => (() => Promise<unknown>)[]) {
  const mock = createMock()
  const teams = [mock.team(), mock.team()] as const
  const codes: (string | undefined)[] = []
  for (const [index, move] of moves(...teams).entries()) {
    const handler = async () => {
      codes.push(await codeOf(move()))
      return new Response()
    }
    teams[index]?.webhooks.add({ handler })
  }
  return { teams, codes }
}

describe('concurrent moves of a clock', () => {
  it('add up', async () => {
    const { clock } = createMock().team()
    await Promise.all([clock.advance('1h'), clock.advance('2h'), clock.advance(500)])
    expect(clock.now().getTime() - start).toBe(3 * 3_600_000 + 500)
  })

  it('run the events of each span before it ends', async () => {
    const happened: string[] = []
    const clock = new TeamClock(start, 'manual', ({ subject }) => happened.push(subject))
    for (const [after, subject] of [
      [1, 'a'],
      [3, 'b'],
      [6, 'c'],
    ] as const) {
      clock.schedule({ at: start + after, type: 'import.end', subject })
    }
    const spans = [2, 3, 4].map((span) => clock.advance(span).then(() => happened.push('end')))
    await Promise.all(spans)
    expect(happened).toEqual(['a', 'end', 'b', 'end', 'c', 'end'])
  })

  it('start where a move to a time ends', async () => {
    const { clock } = createMock().team()
    await Promise.all([clock.advanceTo(start + 5000), clock.advance(1000), clock.advanceTo(start)])
    expect(clock.now().getTime()).toBe(start + 6000)
  })

  it('reject a span that ends after the latest time because of another one', async () => {
    const { clock } = createMock().team({ now: '9998-12-31' })
    const moves = [clock.advance('20h'), clock.advance('20h')].map(codeOf)
    expect(await Promise.all(moves)).toEqual([undefined, 'invalid_time'])
  })
})

describe('handlers of two teams', () => {
  it('reject a move that waits for the handler which waits for it', async () => {
    const { teams, codes } = teamsWithHandlers((first, second) => [
      async () => {
        second.trigger(event)
        await second.clock.advance('1h')
      },
      () => first.clock.advance('1h'),
    ])
    teams[0].trigger(event)
    await teams[0].clock.advance('1m')
    expect(codes).toEqual(['invalid_state', undefined])
    expect(teams.map(({ clock }) => clock.now().getTime() - start)).toEqual([60_000, 3_600_000])
  })

  it('reject one of two moves that wait for each other', async () => {
    const { teams, codes } = teamsWithHandlers((first, second) => [
      () => second.clock.advance('1h'),
      () => first.clock.advance('1h'),
    ])
    for (const team of teams) team.trigger(event)
    await Promise.all(teams.map(({ clock }) => clock.advance('1m')))
    expect(codes.toSorted()).toEqual(['invalid_state', undefined])
  })

  it('reject waits for deliveries that wait for each other', async () => {
    const { teams, codes } = teamsWithHandlers((first, second) => [
      async () => {
        second.trigger(event)
        await second.webhooks.idle()
      },
      () => first.webhooks.idle(),
    ])
    teams[0].trigger(event)
    await teams[0].webhooks.idle()
    expect(codes).toEqual(['invalid_state', undefined])
  })

  it('reject a move of the team whose handler waits for a request that time holds', async () => {
    const latency = { on: 'link.listProviders', then: { latency: '1h' } } as const
    const { teams, codes } = teamsWithHandlers((first, second) => [
      async () => {
        const response = call(second, 'GET /v2/providers')
        await second.clock.whenWaiting()
        second.trigger(event)
        await response
      },
      () => first.clock.advance('1h'),
    ])
    teams[1].faults.add(latency)
    teams[0].trigger(event)
    await teams[0].clock.advance('1m')
    expect(codes).toEqual(['invalid_state', undefined])
  })

  it('move the other team and write to it', async () => {
    const { teams, codes } = teamsWithHandlers((_, second) => [
      async () => {
        second.users.create({ user_id: userId })
        await Promise.all([second.clock.advance('1h'), second.clock.advance('1h')])
      },
      async () => {},
    ])
    teams[0].trigger(event)
    await teams[0].clock.advance('1m')
    expect(codes).toEqual([undefined])
    expect(teams[1].clock.now().getTime() - start).toBe(7_200_000)
    expect(teams[1].users.has(userId)).toBe(true)
  })
})

it('does not fail a delayed request because of the booking of another request', async () => {
  const reported: unknown[] = []
  const mock = createMock()
  mock.reportTo((error) => reported.push(error))
  const team = mock.team({ clock: 'manual' })
  team.faults.add({ on: 'link.listProviders', then: { latency: '10s' } })
  const order = team.orders.create().id
  const booking = call(team, `POST /v3/order/${order}/phlebotomy/appointment/book`, {
    booking_key: 'bk_confirm_after_5s',
  })
  const failed = expect(booking).rejects.toMatchObject({ code: 'failed_event' })
  const delayed = call(team, 'GET /v2/providers')
  await team.clock.whenWaiting(2)
  vi.spyOn(team.state.appointments, 'create').mockImplementation(() => {
    throw new Error('The appointment is broken.')
  })
  await expect(team.clock.advance('1m')).rejects.toMatchObject({ code: 'failed_event' })
  await failed
  expect((await delayed).status).toBe(200)
  expect(reported).toEqual([])
})

it('passes real time on from where it was when the clock of the system goes back', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const { clock } = createMock().team({ clock: 'realtime' })
    const elapsed = () => clock.now().getTime() - start
    vi.setSystemTime(Date.now() + 5000)
    expect(elapsed()).toBe(5000)
    vi.setSystemTime(Date.now() - 3_600_000)
    expect(elapsed()).toBe(5000)
    vi.setSystemTime(Date.now() + 250)
    expect(elapsed()).toBe(5250)
    await clock.advance(750)
    vi.setSystemTime(Date.now() - 1000)
    expect(elapsed()).toBe(6000)
  } finally {
    vi.useRealTimers()
  }
})

it("rejects a restore inside the team's own webhook handler, and allows it in another team's", async () => {
  const mock = createMock()
  const [team, other] = [mock.team(), mock.team()]
  const errors: unknown[] = []
  const snapshots = [team.snapshot(), other.snapshot()] as const
  team.webhooks.add({
    id: 'app',
    handler: () => {
      other.restore(snapshots[1])
      try {
        team.restore(snapshots[0])
      } catch (error) {
        errors.push(error)
      }
      return new Response()
    },
  })
  await team.trigger('labtest.order.created')
  await team.webhooks.idle()
  expect(errors).toMatchObject([{ code: 'invalid_state' }])
  expect(team.events.list()).toHaveLength(1)
  team.restore(snapshots[0])
  expect(team.events.list()).toEqual([])
})
