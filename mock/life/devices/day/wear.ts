import { minute } from '../../../base/time-units.ts'
import { type DeviceKind, kindOf } from '../device-kinds.ts'
import type { Device } from '../device-record.ts'
import { computeOnce, type LivedDay } from './lived-day.ts'

/** How a device is used on a day. */
export interface DeviceUse {
  /** By minute: whether it measures. */
  readonly worn: Uint8Array
  /** The number of those minutes. */
  readonly minutes: number
  /** Whether it is worn in the main sleep that ends on the day. */
  readonly isNightWorn: boolean
  /** Whether it is used on the day at all. */
  readonly isDayWorn: boolean
  /** The seed of its errors of measurement. */
  readonly noise: number
}

/** The decisions about a device on a date. */
interface Habits {
  isDayWorn: boolean
  isNightWorn: boolean
  pause: { from: number; to: number }
  /** When the battery is empty, as minutes of the day. */
  empty: { from: number; to: number }
  noise: number
}

/** Returns how a device is used on a day: not worn, charging and an empty battery are gaps. */
export function useOf(day: LivedDay, device: Device): DeviceUse {
  return computeOnce(day, `use/${device.provider}`, () => makeUse(day, device))
}

function makeUse(day: LivedDay, device: Device): DeviceUse {
  const kind = kindOf(device.provider)
  const habits = habitsOf(day, device, kind, day.date)
  const worn = new Uint8Array(day.samples.minutes)
  if (habits.isDayWorn) wearByDay(day, kind, habits, worn)
  for (const [at, { sleep, date }] of day.sleeps.entries()) {
    const ofNight = date === day.date ? habits : habitsOf(day, device, kind, date)
    const isWorn = sleep.isNap ? undefined : ofNight.isNightWorn
    if (isWorn !== undefined) fillWhere(worn, day.inBed, at + 1, Number(isWorn))
  }
  const minutes = worn.reduce((sum, value) => sum + value, 0)
  const { isDayWorn, isNightWorn, noise } = habits
  return { worn, minutes, isDayWorn, isNightWorn, noise }
}

function habitsOf(day: LivedDay, device: Device, kind: DeviceKind, date: number): Habits {
  const random = day.person.random.fork(`use/${device.provider}/${date}`)
  const isDayWorn = random.next() < kind.days
  const isNightWorn = random.next() < kind.nights
  const [length, days] = kind.pause
  const from = random.integer(18 * 60, 21 * 60)
  const isPaused = date % days === 0
  const emptyFrom = random.integer(8 * 60, 40 * 60)
  const isEmpty = random.next() < 0.04
  return {
    isDayWorn,
    isNightWorn,
    pause: { from, to: isPaused ? from + length : from },
    empty: { from: emptyFrom, to: isEmpty ? emptyFrom + random.integer(2, 8) * 60 : emptyFrom },
    noise: random.integer(0, 0x7fff_ffff),
  }
}

function wearByDay(day: LivedDay, kind: DeviceKind, habits: Habits, worn: Uint8Array): void {
  const { pause, empty, noise } = habits
  const { use } = kind
  if (use === 'nights') return
  if (use === 'workouts') {
    for (const { start, end } of day.plan.workouts) {
      worn.fill(1, (start - day.plan.start) / minute, (end - day.plan.start) / minute)
    }
    return
  }
  worn.fill(1)
  if (use === 'carried') leaveSometimes(noise, worn)
  worn.fill(0, pause.from, pause.to)
  if (kind.pause[0] > 0) worn.fill(0, empty.from, empty.to)
}

/** Leaves a phone somewhere for a part of the quarters of an hour. */
function leaveSometimes(noise: number, worn: Uint8Array): void {
  for (let from = 0; from < worn.length; from += 15) {
    if (jitter(noise, from) < 0.25) worn.fill(0, from, from + 15)
  }
}

function fillWhere(values: Uint8Array, keys: Uint8Array, key: number, value: number): void {
  for (let at = 0; at < values.length; at += 1) if (keys[at] === key) values[at] = value
}

/** Returns a random number from 0, inclusive, to 1, exclusive, that depends on a seed and a number only. */
export function jitter(seed: number, number: number): number {
  let hash = Math.imul(seed ^ Math.imul(number + 1, 0x9e3779b1), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000
}
