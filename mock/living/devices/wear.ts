import { uniform } from '../noise.ts'
import type { Span } from '../plan/spans.ts'
import { type DeviceKind, kindOf } from './device-kinds.ts'
import type { Device } from './device-record.ts'
import type { LivedDay } from './lived-day.ts'

interface Habits {
  /** Whether the device is used at any time during the day. */
  readonly isDayWorn: boolean
  /** Whether the device is worn during the main sleep that ends on the day. */
  readonly isNightWorn: boolean
  /** The minutes when the device is charging or has no sensor. */
  readonly pause: Span
  /** The minutes when the battery is empty. */
  readonly empty: Span
  /** The seed of the device's measurement errors. */
  readonly noise: number
}

export function habitsOf(day: LivedDay, { provider }: Device): Habits {
  return day.once(`habits/${provider}`, () => makeHabits(day, provider, day.date))
}

/**
 * Returns 1 for each minute in which a device measures, otherwise 0. During the main sleep, pauses and an empty battery
 * are ignored.
 */
export function wornMinutes(day: LivedDay, device: Device): Uint8Array {
  return day.once(`worn/${device.provider}`, () => {
    const kind = kindOf(device.provider)
    const habits = habitsOf(day, device)
    const worn = new Uint8Array(day.length)
    if (habits.isDayWorn) wearByDay(day, kind, habits, worn)
    for (const [at, { sleep, date }] of day.sleeps.entries()) {
      if (sleep.isNap) continue
      const { isNightWorn } = date === day.date ? habits : makeHabits(day, device.provider, date)
      fillWhere(worn, day.inBed, at + 1, Number(isNightWorn))
    }
    return worn
  })
}

/** Returns whether the device measures throughout a span, or false if the span starts before the day. */
export function isWornIn(day: LivedDay, device: Device, { start, end }: Span): boolean {
  const [from, to] = [day.minuteOf(start), day.minuteOf(end)]
  return (
    from >= 0 &&
    wornMinutes(day, device)
      .subarray(from, to)
      .every((worn) => worn === 1)
  )
}

function makeHabits({ person }: LivedDay, provider: string, date: number): Habits {
  const { days, nights, pause } = kindOf(provider)
  const random = person.random.fork(`use/${provider}/${date}`)
  const [length, every] = pause
  const [isDayWorn, isNightWorn] = [random.next() < days, random.next() < nights]
  return {
    isDayWorn,
    isNightWorn,
    noise: random.integer(0, 0x7fff_ffff),
    pause: gap(random.integer(18 * 60, 21 * 60), date % every === 0 ? length : 0),
    empty: gap(
      random.integer(8 * 60, 22 * 60),
      random.next() < 0.04 ? random.integer(2, 8) * 60 : 0,
    ),
  }
}

function gap(start: number, length: number): Span {
  return { start, end: start + length }
}

function wearByDay(day: LivedDay, kind: DeviceKind, habits: Habits, worn: Uint8Array): void {
  const { pause, empty, noise } = habits
  const { use } = kind
  if (use === 'nights') return
  if (use === 'workouts') {
    for (const { start, end } of day.plan.workouts) {
      worn.fill(1, day.minuteOf(start), day.minuteOf(end))
    }
    return
  }
  worn.fill(1)
  if (use === 'carried') leaveSometimes(noise, worn)
  worn.fill(0, pause.start, pause.end)
  if (kind.pause[0] > 0) worn.fill(0, empty.start, empty.end)
}

/** Simulates a phone that is left behind in a quarter of all 15-minute periods. */
function leaveSometimes(noise: number, worn: Uint8Array): void {
  for (let from = 0; from < worn.length; from += 15) {
    if (uniform(noise, from) < 0.25) worn.fill(0, from, from + 15)
  }
}

function fillWhere(values: Uint8Array, keys: Uint8Array, key: number, value: number): void {
  for (let at = 0; at < values.length; at += 1) if (keys[at] === key) values[at] = value
}
