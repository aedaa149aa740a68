import { remember } from '../../../src/shared/memo.ts'
import { present } from '../../../src/shared/narrow.ts'
import { minute } from '../../shared/time-units.ts'
import { offsetAt, offsetChange } from '../../shared/time-zone.ts'
import type { LivingPerson } from '../person/life.ts'
import type { DayPlan, PlannedSleep } from '../plan/day-plan.ts'
import { planOf } from '../plan/plan.ts'
import type { Span } from '../plan/spans.ts'
import type { DaySamples } from '../signals/samples.ts'
import { samplesOf } from '../signals/samples.ts'
import { stageCodes } from '../signals/timeline.ts'

interface SleepOfDay {
  readonly sleep: PlannedSleep
  /** The date on which the session ends. */
  readonly date: number
}

/**
 * A person's calendar day, minute by minute, with everything that devices can measure. Each part is computed on first
 * use.
 */
export class LivedDay {
  readonly person: LivingPerson
  /** The calendar date, in days since 1970-01-01. */
  readonly date: number
  readonly #memory = new Map<string, unknown>()
  #plan: DayPlan | undefined
  #samples: DaySamples | undefined

  constructor(person: LivingPerson, date: number) {
    this.person = person
    this.date = date
  }

  get plan(): DayPlan {
    this.#plan ??= planOf(this.person, this.date)
    return this.#plan
  }

  /** The number of minutes in the day. */
  get length(): number {
    return Math.round((this.plan.end - this.plan.start) / minute)
  }

  get samples(): DaySamples {
    this.#samples ??= samplesOf(this.person, this.date)
    return this.#samples
  }

  get sleeps(): readonly SleepOfDay[] {
    return this.once('sleeps', () =>
      [this.plan, planOf(this.person, this.date + 1)].flatMap(({ sleeps, date }) =>
        sleeps
          .filter(({ start, end }) => start < this.plan.end && end > this.plan.start)
          .map((sleep) => ({ sleep, date })),
      ),
    )
  }

  /** The sleep session's number for each minute, starting at 1, or 0 while the person is out of bed. */
  get inBed(): Uint8Array {
    return this.once('inBed', () => {
      const minutes = new Uint8Array(this.length)
      for (const [at, { sleep }] of this.sleeps.entries()) this.#fill(minutes, at + 1, sleep)
      return minutes
    })
  }

  /** The {@link stageCodes} code for each minute, or 0 while the person is out of bed. */
  get stages(): Uint8Array {
    return this.once('stages', () => {
      const minutes = new Uint8Array(this.length)
      for (const { type, ...span } of this.sleeps.flatMap(({ sleep }) => sleep.stages)) {
        this.#fill(minutes, stageCodes[type], span)
      }
      return minutes
    })
  }

  /** The UTC offsets in milliseconds, each with the minute at which it starts. */
  get offsets(): readonly { readonly from: number; readonly offset: number }[] {
    return this.once('offsets', () => offsetsOf(this.plan))
  }

  /** Returns the minute of the day, which can be negative or after the day's end. */
  minuteOf(moment: number): number {
    return (moment - this.plan.start) / minute
  }

  once<T>(name: string, compute: () => T): T {
    // Each name is always used with the same computation, so its value always has the same type.
    if (this.#memory.has(name)) return this.#memory.get(name) as T
    const value = compute()
    this.#memory.set(name, value)
    return value
  }

  #fill(minutes: Uint8Array, code: number, { start, end }: Span): void {
    minutes.fill(code, Math.max(0, this.minuteOf(start)), Math.max(0, this.minuteOf(end)))
  }
}

export function isAsleep(code: number | undefined): boolean {
  return code !== undefined && code > stageCodes.awake
}

/**
 * Returns a person's day. Recent days are cached, because every resource uses each day and a night belongs to two days.
 */
export const livedDay = remember(
  256,
  (person: LivingPerson, date: number) => new LivedDay(person, date),
)

/** Returns the time zone at the given time, or at the day's start if the time is earlier. */
export function zoneAt({ zones }: DayPlan, moment: number): string {
  // A day has at least one zone.
  return present(zones.findLast(({ from }) => from <= moment) ?? zones[0]).zone
}

/** Returns the day's UTC offsets, which change with flights and clock changes. */
function offsetsOf(plan: DayPlan): { from: number; offset: number }[] {
  const offsets: { from: number; offset: number }[] = []
  const add = (from: number, offset: number) => {
    if (offsets.at(-1)?.offset !== offset)
      offsets.push({ from: (from - plan.start) / minute, offset })
  }
  for (const [at, { zone, from }] of plan.zones.entries()) {
    const start = Math.max(from, plan.start)
    const end = plan.zones[at + 1]?.from ?? plan.end
    const [before, after] = [offsetIn(zone, start), offsetIn(zone, end - 1)]
    add(start, before)
    if (after !== before) add(offsetChange(zone, start, end, minute), after)
  }
  return offsets
}

/** Returns a time zone's UTC offset at the given time, in milliseconds. */
export function offsetIn(zone: string, moment: number): number {
  return offsetAt(zone, moment) * 1000
}
