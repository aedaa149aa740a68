import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMock } from '../../../../mock/index.ts'
import { call } from '../../../support/call.ts'

const start = Date.parse('2025-06-01T09:00:00Z')

const latest = Date.parse('9999-01-01T00:00:00Z')
/** The latest moment that a `Date` can hold. */
const latestDate = 8.64e15

describe('a time span', () => {
  it.each([
    [0, 0],
    ['0', 0],
    [1500, 1500],
    ['1500', 1500],
    ['500ms', 500],
    ['1.5s', 1500],
    ['10.25s', 10_250],
    ['15m', 900_000],
    ['48h', 172_800_000],
    ['7d', 604_800_000],
  ])('of %j is %i milliseconds', async (span, expected) => {
    const { clock } = createMock().team()
    await clock.advance(span as number)
    expect(clock.now().getTime() - start).toBe(expected)
  })

  it.each([
    ['soon', "'soon'"],
    ['5 minutes', "'5 minutes'"],
    ['x5s', "'x5s'"],
    ['5sx', "'5sx'"],
    ['5.s', "'5.s'"],
    ['', "''"],
    [-1, '-1'],
    [Number.NaN, 'NaN'],
    [undefined, 'undefined'],
    [[5], '5'],
  ])('cannot be %j', async (span, shown) => {
    const { clock } = createMock().team()
    await expect(clock.advance(span as number)).rejects.toMatchObject({
      code: 'invalid_time',
      message: `Expected a time span of at least 0, in milliseconds or as a string such as '15m', but got ${shown}.`,
    })
  })
})

describe('a time span at the end of the calendar', () => {
  it.each([
    [
      latestDate + 1,
      `Expected a time span of at most ${latestDate} ms, but got ${latestDate + 1}.`,
    ],
    ['100000001d', `Expected a time span of at most ${latestDate} ms, but got '100000001d'.`],
    [
      latest,
      `The time ${start + latest} is after the latest time that the mock supports, ${latest} (9999-01-01T00:00:00.000Z). Use an earlier time or a shorter time span.`,
    ],
  ])('cannot be %j', async (span, message) => {
    const { clock } = createMock().team()
    // Callers without types can pass any string.
    const act = clock.advance(span as number)
    await expect(act).rejects.toMatchObject({ code: 'invalid_time', message })
  })

  it('can reach the latest moment', async () => {
    const { clock } = createMock().team()
    await clock.advance(latest - start)
    expect(clock.now().getTime()).toBe(latest)
    await clock.advanceTo('9999-01-01')
    expect(clock.now().getTime()).toBe(latest)
  })
})

describe('virtual time', () => {
  it.each(['1000-01-01', '9999-01-01'])('can start in %s, with every kind of date', async (now) => {
    const team = createMock({ now }).team()
    const booking = { booking_key: 'bk_confirm' }
    const route = `/v3/order/${team.orders.create().id}/phlebotomy/appointment/book`
    expect((await call(team, `POST ${route}`, booking)).status).toBe(200)
    team.users.create({ living: true })
    team.trigger('daily.data.sleep.created')
    const dates = JSON.stringify(team.snapshot()) + JSON.stringify(team.events.list())
    expect(dates).not.toMatch(/"[+-]\d{6}-\d\d-/)
    expect(() => team.restore(team.snapshot())).not.toThrow()
  })

  it.each(['0999-12-31T23:59:59.999Z', '9999-01-01T00:00:00.001Z', '+010000-01-01'])(
    'cannot be %s',
    async (now) => {
      const invalid = expect.objectContaining({ code: 'invalid_time' })
      expect(() => createMock({ now })).toThrow(invalid)
      const team = createMock({ now: '1000-01-01' }).team()
      await expect(team.clock.advanceTo(now)).rejects.toMatchObject({ code: 'invalid_time' })
      const snapshot = { ...team.snapshot(), now }
      expect(() => team.restore(snapshot)).toThrow(
        expect.objectContaining({ code: 'invalid_snapshot' }),
      )
    },
  )
})

describe('a moment', () => {
  const moment = '2025-06-02T00:00:00.000Z'

  it.each([
    new Date(moment),
    Date.parse(moment),
    moment,
    '2025-06-02',
    '2025-06-02T00:00',
    '2025-06-02Z',
    '2025-06-02T02:00:00+02:00',
    '2025-06-01T22:00:00.0000-0200',
  ])('can be %j', async (instant) => {
    const { clock } = createMock().team()
    await clock.advanceTo(instant)
    expect(clock.now().toISOString()).toBe(moment)
    await clock.advanceTo(instant)
    expect(clock.now().toISOString()).toBe(moment)
  })

  it.each([
    ['soon', "'soon'"],
    [Number.NaN, 'NaN'],
    [new Date('soon'), 'Invalid Date'],
    ...[
      'x2025-06-02',
      '2025-06-02x',
      '2025-06-02T00',
      '2025-06-02T00:00:00.',
      '2025-06-02T00:00Z0',
      '2025-06-02T00:00+2:00',
      '2025-02-30',
      '2025-13-01',
      '12025-06-02',
      '+2025-06-02',
      '-000000-06-02',
    ].map((text): [string, string] => [text, `'${text}'`]),
    [[moment], moment],
  ])('cannot be %s', async (instant, shown) => {
    // Callers without types can pass any value.
    await expect(
      createMock()
        .team()
        .clock.advanceTo(instant as string),
    ).rejects.toMatchObject({
      code: 'invalid_time',
      message: `Expected a time: a Date, a Unix timestamp in milliseconds, or a string such as '2025-06-01T09:00:00Z', but got ${shown}.`,
    })
  })

  it.each(['2025-06-02', '2025-06-02T00:00'])(
    'is in UTC without an offset: %s',
    async (instant) => {
      // Node reads the time zone from the environment.
      vi.stubEnv('TZ', 'America/New_York')
      onTestFinished(() => void vi.unstubAllEnvs())
      const { clock } = createMock().team()
      await clock.advanceTo(instant)
      expect(clock.now().toISOString()).toBe(moment)
    },
  )

  it('cannot be in the past', async () => {
    const { clock } = createMock().team()
    await expect(clock.advanceTo(start - 1)).rejects.toMatchObject({
      code: 'invalid_time',
      message:
        'Cannot move time back to 2025-06-01T08:59:59.999Z. Use 2025-06-01T09:00:00.000Z or later.',
    })
    expect(clock.now().getTime()).toBe(start)
  })
})
