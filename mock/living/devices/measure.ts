import { minute } from '../../shared/time-units.ts'
import { uniform } from '../noise.ts'
import { type DeviceKind, intervalOf, kindOf } from './device-kinds.ts'
import type { Device, SampleFields } from './device-record.ts'
import type { LivedDay } from './lived-day.ts'
import { vitalsAt } from './vitals.ts'
import { habitsOf, wornMinutes } from './wear.ts'

export interface Measured {
  /** The minutes of the day, in ascending order. */
  readonly minutes: readonly number[]
  readonly values: readonly number[]
  /** The interval lengths in minutes: one for each sample, or one for all. Default: 0. */
  readonly lengths?: number | readonly number[]
  readonly fields?: readonly (SampleFields | undefined)[]
}

interface Measurement {
  movement: DeviceKind['movement']
  error: DeviceKind['error']
  day: LivedDay
  /** 1 for each minute in which the device measures, otherwise 0. */
  worn: Uint8Array
  /** The seed of the device's measurement errors. */
  noise: number
  /** The minutes between two samples, or 0 for single measurements. */
  every: number
}

type Measure = (measurement: Measurement) => Measured

/**
 * The time series that devices sample. Counts are rounded to multiples of a power of 2, such as 0.25, so sums are exact
 * in any order.
 */
const measures: Readonly<Record<string, Measure>> = {
  heartrate: gauge((measurement, at) => heartRateAt(measurement, at)),
  steps: counter('steps', 1),
  distance: counter('distance', 0.5),
  calories_active: counter('activeCalories', 0.25),
  calories_basal: countBasalCalories,
  floors_climbed: counter('floors', 1),
  glucose: gauge(({ day, noise }, at) => {
    const error = (uniform(noise, at) - 0.5) * 0.2
    return Math.round(((day.samples.glucose[at] as number) + error) * 10) / 10
  }),
  stress_level: gauge(({ day, noise }, at) => stressAt(day, noise, at)),
  hrv: gauge(({ day }, at) => vitalsAt(day, at)?.hrv ?? Number.NaN),
  respiratory_rate: gauge(({ day }, at) => vitalsAt(day, at)?.breaths ?? Number.NaN),
  blood_oxygen: gauge(({ day }, at) => vitalsAt(day, at)?.oxygen ?? Number.NaN),
}

export const sampledSeries: readonly string[] = Object.keys(measures)

export function isSampled(resource: string): boolean {
  return Object.hasOwn(measures, resource)
}

/** Returns a device's samples of a time series on a day, or undefined if no device samples the series. */
export function measure(day: LivedDay, device: Device, resource: string): Measured | undefined {
  const { provider } = device
  const kind = kindOf(provider)
  const every = intervalOf(kind, resource)
  if (every === undefined) return undefined
  return day.once(`series/${provider}/${resource}`, () => {
    const { movement, error } = kind
    const { noise } = habitsOf(day, device)
    const measurement = { day, worn: wornMinutes(day, device), noise, every, movement, error }
    return isSampled(resource) ? measures[resource]?.(measurement) : undefined
  })
}

/** Creates a measure that samples values at points in time. NaN values become gaps. */
function gauge(valueAt: (measurement: Measurement, minute: number) => number): Measure {
  return (measurement) => {
    const { day, every, worn } = measurement
    const minutes: number[] = []
    const values: number[] = []
    const measureAt = (at: number) => {
      const value = worn[at] === 1 ? valueAt(measurement, at) : Number.NaN
      if (Number.isNaN(value)) return
      minutes.push(at)
      values.push(value)
    }
    if (every === 0) for (const at of singleMinutes(day)) measureAt(at)
    else for (let at = 0; at < worn.length; at += every) measureAt(at)
    return { minutes, values }
  }
}

/** Returns the minutes of single measurements. People take one at the start of each meal. */
function singleMinutes({ plan }: LivedDay): number[] {
  return plan.meals.map(({ at }) => Math.floor((at - plan.start) / minute))
}

/** Returns the mean heart rate from a minute until the next sample, counting only minutes when the device is worn. */
function heartRateAt({ day, worn, noise, every, error }: Measurement, from: number): number {
  const { heartRate } = day.samples
  if (every <= 1 && error === 0) return heartRate[from] as number
  let [sum, count] = [0, 0]
  const end = Math.min(from + Math.max(every, 1), worn.length)
  for (let at = from; at < end; at += 1) {
    if (!worn[at]) continue
    sum += heartRate[at] as number
    count += 1
  }
  const off = (uniform(noise, from) - 0.5) * 2 * error
  return Math.max(25, Math.round(sum / count + off))
}

/** Creates a measure that sums the values in each interval. Intervals without movement become gaps. */
function counter(name: 'steps' | 'distance' | 'activeCalories' | 'floors', unit: number): Measure {
  return ({ day, worn, every, movement }) => {
    const counts = day.samples[name]
    const minutes: number[] = []
    const values: number[] = []
    let [total, counted] = [0, 0]
    for (let from = 0; from < worn.length; from += every) {
      const end = Math.min(from + every, worn.length)
      for (let at = from; at < end; at += 1) if (worn[at]) total += counts[at] as number
      const units = Math.round((total * movement) / unit)
      if (units === counted) continue
      minutes.push(from)
      values.push((units - counted) * unit)
      counted = units
    }
    return { minutes, values, lengths: every }
  }
}

/**
 * Sums the resting energy of each interval. Devices compute this energy instead of measuring it, so a day on which the
 * device is worn has no gaps.
 */
function countBasalCalories({ day, worn, every }: Measurement): Measured {
  const { minutes: length, basalCalories } = day.samples
  const minutes: number[] = []
  const values: number[] = []
  if (!worn.includes(1)) return { minutes, values }
  let [total, counted] = [0, 0]
  for (let from = 0; from < length; from += every) {
    const end = Math.min(from + every, length)
    for (let at = from; at < end; at += 1) total += basalCalories[at] as number
    const quarters = Math.round(total * 4)
    minutes.push(from)
    values.push((quarters - counted) / 4)
    counted = quarters
  }
  return { minutes, values }
}

/** Returns the stress level, from 1 to 100, or NaN in bed and during movement of medium or high intensity. */
function stressAt({ plan, samples, inBed }: LivedDay, noise: number, at: number): number {
  if (inBed[at] || (samples.intensity[at] as number) > 1) return Number.NaN
  const { stress, restingHeartRate, maximumHeartRate } = plan.body
  const effort = (samples.heartRate[at] as number) - restingHeartRate
  const reserve = effort / (maximumHeartRate - restingHeartRate)
  const level = 15 + stress * 45 + reserve * 60 + (uniform(noise, at) - 0.5) * 20
  return Math.min(100, Math.max(1, Math.round(level)))
}
