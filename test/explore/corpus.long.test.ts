import { ExploreError } from 'health-lab-sdk/mock/explore'
import { describe, expect, it } from 'vitest'
import { sampled } from '../support/long-tests.ts'
import { flawedBookings } from './corpus/bookings.ts'
import { correct } from './corpus/correct.ts'
import { correctDurable, flawedDurable } from './corpus/durable.ts'
import { correctEnvironment, flawedEnvironment } from './corpus/environment.ts'
import { flawedEvents } from './corpus/events.ts'
import { correctLate, flawedLate } from './corpus/late.ts'
import { correctMemory, flawedMemory } from './corpus/memory.ts'
import { flawedOrders } from './corpus/orders.ts'
import { correctParallel, flawedParallel } from './corpus/parallel.ts'
import { flawedReads } from './corpus/reads.ts'
import { flawedRecords } from './corpus/records.ts'

const flawed = [
  ...flawedOrders,
  ...flawedBookings,
  ...flawedRecords,
  ...flawedEvents,
  ...flawedReads,
  ...flawedLate,
  ...flawedParallel,
  ...flawedDurable,
  ...flawedMemory,
  ...flawedEnvironment,
]
const all = [
  ...correct,
  ...correctLate,
  ...correctParallel,
  ...correctDurable,
  ...correctMemory,
  ...correctEnvironment,
]

/** Set EXPLORE_SECONDS=60 for the full search; by default, a number of runs bounds the time. */
const seconds = Number(process.env['EXPLORE_SECONDS'] ?? 0)
const budget = seconds > 0 ? { seconds } : { runs: 100 }
/** How often each failure is replayed. */
const replays = Number(process.env['EXPLORE_REPLAYS'] ?? 1)
// An endless program takes seconds to replay.
const timeout = seconds > 0 ? (seconds + 60 + 4 * replays) * 1000 : 300_000

describe('programs with one bug', () => {
  it('are at least eighty', () => {
    expect(flawed.length).toBeGreaterThanOrEqual(80)
  })

  it.each(sampled(flawed, 8))('finds, and replays: $name', { timeout }, async (program) => {
    const found: unknown = await program.explore(budget).catch((error) => error)
    expect(found).toBeInstanceOf(ExploreError)
    // The line above checked it.
    const { replay, violation, line } = found as ExploreError
    expect(line).toMatch(/^test\/explore\/corpus\//)
    for (let time = 0; time < replays; time += 1) {
      await expect(program.replay(replay)).rejects.toMatchObject({ violation, replay, line })
    }
  })
})

describe('programs without bugs', () => {
  it('are at least thirty', () => {
    expect(all.length).toBeGreaterThanOrEqual(30)
  })

  it.each(sampled(all, 8))('raises no alarm: $name', { timeout }, async ({ explore }) => {
    const { ended } = await explore(budget)
    expect(['complete', 'budget']).toContain(ended)
  })

  it('undoes no part of a handler that runs beside one whose response is followed by a crash', async () => {
    const counting = correct.find(({ name }) => name.startsWith('counts each event once'))
    const faults = [
      'delivery:labtest.appointment.updated#1=overlaps_next',
      'delivery:labtest.order.updated#1=crash_after_response',
    ]
    expect(await counting?.replay(`v1 1 ${faults.join(' ')}`)).toMatchObject({ runs: 2 })
  })
})
