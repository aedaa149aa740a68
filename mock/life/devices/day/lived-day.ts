import { day as dayLength, minute } from '../../../base/time-units.ts'
import { offsetAt } from '../../../base/time-zone.ts'
import type { DaySamples } from '../../body/day-samples.ts'
import { samplesOf } from '../../body/samples.ts'
import type { Person } from '../../person/person.ts'
import type { DayPlan, PlannedSleep, SleepStage } from '../../plan/day-plan.ts'
import { planOf } from '../../plan/plan.ts'

/** A calendar day as a person lives it, by minutes: what devices can measure. */
export interface LivedDay {
  readonly person: Person
  readonly date: number
  readonly plan: DayPlan
  readonly samples: DaySamples
  /** The sleep sessions with a part in this day, with the dates on which they end. */
  readonly sleeps: readonly { readonly sleep: PlannedSleep; readonly date: number }[]
  /** By minute: 0 out of bed, else the number of the sleep session, from 1. */
  readonly inBed: Uint8Array
  /** By minute: a code of {@link stageCodes}; 0 out of bed. */
  readonly stages: Uint8Array
  /** The offsets from UTC from a minute on, in milliseconds. */
  readonly offsets: readonly { readonly from: number; readonly offset: number }[]
  /** What was computed of the day, by name. */
  readonly memory: Map<string, unknown>
}

/** The codes of sleep stages by minute. */
export const stageCodes: Readonly<Record<SleepStage['type'], number>> = {
  awake: 1,
  light: 2,
  deep: 3,
  rem: 4,
}

/** Whether the code of a stage is one of sleep. */
export function isAsleep(code: number | undefined): boolean {
  return code !== undefined && code > stageCodes.awake
}

/** How many days of a person are kept: a night needs two of them. */
const keptDays = 4
const days = new WeakMap<Person, Map<number, LivedDay>>()

/** Returns a day of a person; the latest ones are kept. */
export function livedDay(person: Person, date: number): LivedDay {
  const known = days.get(person) ?? new Map<number, LivedDay>()
  days.set(person, known)
  const day = known.get(date) ?? makeDay(person, date)
  known.delete(date)
  known.set(date, day)
  const [oldest] = known.keys()
  if (known.size > keptDays && oldest !== undefined) known.delete(oldest)
  return day
}

function makeDay(person: Person, date: number): LivedDay {
  const plan = planOf(person, date)
  const samples = samplesOf(person, date)
  const sleeps = [plan, planOf(person, date + 1)].flatMap((of) =>
    of.sleeps
      .filter(({ start, end }) => start < plan.end && end > plan.start)
      .map((sleep) => ({ sleep, date: of.date })),
  )
  const inBed = new Uint8Array(samples.minutes)
  const stages = new Uint8Array(samples.minutes)
  const minuteOf = (moment: number) => Math.max(0, Math.ceil((moment - plan.start) / minute))
  for (const [at, { sleep }] of sleeps.entries()) {
    inBed.fill(at + 1, minuteOf(sleep.start), minuteOf(sleep.end))
    for (const { type, start, end } of sleep.stages) {
      stages.fill(stageCodes[type], minuteOf(start), minuteOf(end))
    }
  }
  const memory = new Map<string, unknown>()
  return { person, date, plan, samples, sleeps, inBed, stages, offsets: offsetsOf(plan), memory }
}

/** Returns a value of a day, and computes it at the first time. */
export function computeOnce<T>({ memory }: LivedDay, name: string, compute: () => T): T {
  // The name stands for one computation, whose values have one type.
  if (memory.has(name)) return memory.get(name) as T
  const value = compute()
  memory.set(name, value)
  return value
}

/** Returns the time zone in which a person is at a moment of a day; before it, that of its start. */
export function zoneAt({ zones }: DayPlan, moment: number): string {
  const [first] = zones
  // A day has at least one zone.
  return (zones.findLast(({ from }) => from <= moment) ?? first)?.zone as string
}

/** Returns the offsets of a day, which change with flights and with the clock. */
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
    if (after !== before) add(changeBetween(zone, start, end, before), after)
  }
  return offsets
}

/** Returns the first minute with another offset than `before`. */
function changeBetween(zone: string, start: number, end: number, before: number): number {
  let [low, high] = [0, Math.ceil((end - start) / minute)]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetIn(zone, start + middle * minute) === before) low = middle
    else high = middle
  }
  return start + high * minute
}

/** The offsets of zones by UTC day; undefined on days when they change. */
const offsetsByDay = new Map<string, Map<number, number | undefined>>()
const keptOffsets = 2000

/** Returns the offset of a zone at a moment, in milliseconds. */
export function offsetIn(zone: string, moment: number): number {
  const known = offsetsByDay.get(zone) ?? new Map<number, number | undefined>()
  offsetsByDay.set(zone, known)
  const utcDay = Math.floor(moment / dayLength)
  if (!known.has(utcDay)) {
    if (known.size >= keptOffsets) known.clear()
    const [first, last] = [utcDay * dayLength, (utcDay + 1) * dayLength - 1].map((at) =>
      offsetAt(zone, at),
    )
    known.set(utcDay, first === last ? first : undefined)
  }
  return (known.get(utcDay) ?? offsetAt(zone, moment)) * 1000
}
