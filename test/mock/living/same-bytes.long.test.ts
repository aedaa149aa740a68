import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it, vi } from 'vitest'
import { createMock, type Snapshot } from '../../../mock/index.ts'
import { digestOf, live, makeLivingTeam } from '../../support/life-digest.ts'
import { fc } from '../../support/properties.ts'

const days = 3
const length = days * 86_400_000

it('sends the same in one step, in days and in random steps, whether events are read meanwhile', async () => {
  const expected = await live(days)
  const inDays = makeLivingTeam()
  for (let day = 0; day < days; day += 1) await inDays.clock.advance('1d')
  expect(digestOf(inDays)).toBe(expected)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: length - 1 }), { maxLength: 12 }),
      async (moments) => {
        const team = makeLivingTeam()
        const start = team.clock.now().getTime()
        for (const moment of moments.toSorted((one, other) => one - other)) {
          await team.clock.advanceTo(start + moment)
          if (moment % 2 === 0) void team.events.count
        }
        await team.clock.advanceTo(start + length)
        expect(digestOf(team)).toBe(expected)
      },
    ),
    { numRuns: Number(process.env['LIVING_RUNS'] ?? 2), seed: 5 },
  )
})

it('sends the same in real time', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  try {
    const expected = await live(days)
    const team = makeLivingTeam()
    team.clock.mode = 'realtime'
    for (let hours = 0; hours < days * 24; hours += 8) {
      await vi.advanceTimersByTimeAsync(8 * 3_600_000)
      void team.events.count
    }
    team.clock.mode = 'auto'
    expect(digestOf(team)).toBe(expected)
  } finally {
    vi.useRealTimers()
  }
})

it('delivers to a webhook what it lists without one', async () => {
  const delivered: unknown[] = []
  const team = makeLivingTeam()
  team.webhooks.add({
    handler: async (request) => {
      delivered.push(await request.json())
      return new Response()
    },
  })
  await team.clock.advance(`${days}d`)
  const listed = makeLivingTeam()
  const before = listed.events.count
  await listed.clock.advance(`${days}d`)
  expect(delivered).toEqual(
    listed.events
      .list()
      .slice(before)
      .map(({ body }) => body),
  )
  // Deliveries stop time, so each event is delivered at its own time.
  const times = team.webhooks
    .list()[0]
    ?.deliveries()
    .map(({ at }) => at)
  expect(times).toEqual(
    listed.events
      .list()
      .slice(before)
      .map(({ at }) => at),
  )
})

it('continues after a snapshot', async () => {
  const expected = await live(days)
  const team = makeLivingTeam()
  await team.clock.advance('1d')
  const snapshot = JSON.parse(JSON.stringify(team.snapshot())) as Snapshot
  const other = createMock({ seed: 11 }).team({ outboxLimit: 100_000 })
  other.restore(snapshot)
  expect(other.snapshot()).toEqual(snapshot)
  await other.clock.advance('2d')
  expect(digestOf(other)).toBe(expected)
  await team.clock.advance('1h')
  team.restore(snapshot)
  await team.clock.advance('2d')
  expect(digestOf(team)).toBe(expected)
})

it.each([
  ['Pacific/Auckland', 'de_DE.UTF-8'],
  ['America/Los_Angeles', 'ar_EG.UTF-8'],
  ['Asia/Kathmandu', 'tr_TR.UTF-8'],
])('sends the same on a machine in %s with the locale %s', async (TZ, locale) => {
  const program = `
    import { live } from './test/support/life-digest.ts'
    process.stdout.write(await live(${days}))
  `
  const flags = [
    '--import',
    './scripts/package-sources.ts',
    '--input-type=module',
    '--eval',
    program,
  ]
  const env = { ...process.env, TZ, LC_ALL: locale, LANG: locale }
  const { stdout } = await promisify(execFile)(process.execPath, flags, { env, timeout: 240_000 })
  expect(stdout).toBe(await live(days))
})

it('rejects a snapshot whose living users do not match', () => {
  const team = makeLivingTeam()
  const snapshot = team.snapshot()
  const [connection] = snapshot.living?.connections ?? []
  if (connection) connection.user = 9
  expect(() => team.restore(snapshot)).toThrow('Its living users are inconsistent.')
})
