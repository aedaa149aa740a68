import { minute } from '../../base/time-units.ts'
import type { Person } from '../person/person.ts'
import { type LivedDay, livedDay } from './day/lived-day.ts'
import { type Measured, measure, sampledSeries } from './day/measure.ts'
import type { Device, DeviceRecord, DeviceSamples } from './device-record.ts'
import { isFloating } from './offsets.ts'
import { bodyRecords, mealRecords } from './reports/measurements.ts'
import { workoutRecords } from './reports/workouts.ts'

/** The time series with a value of a record each: the records and the column. */
const columnsOfRecords: Readonly<
  Record<string, readonly [(day: LivedDay, device: Device) => DeviceRecord[], column: string]>
> = {
  weight: [bodyRecords, 'weight_kilogram'],
  fat: [bodyRecords, 'fat_mass_percentage'],
  body_mass_index: [bodyRecords, 'body_mass_index'],
  lean_body_mass: [bodyRecords, 'lean_body_mass_kilogram'],
  waist_circumference: [bodyRecords, 'waist_circumference_centimeter'],
  carbohydrates: [mealRecords, 'carbohydrate_gram'],
  workout_duration: [workoutRecords, 'duration_active_second'],
  workout_distance: [workoutRecords, 'distance_meter'],
}

/** The time series of generated data. */
export const seriesNames: readonly string[] = [...sampledSeries, ...Object.keys(columnsOfRecords)]

/** Returns the samples that a device took on a date; undefined if it does not measure the time series. */
export function reportedSeries(
  person: Person,
  device: Device,
  resource: string,
  date: number,
): DeviceSamples | undefined {
  if (!device.resources.includes(resource)) return undefined
  const day = livedDay(person, date)
  const measured = samplesOfRecords(day, device, resource) ?? measure(day, device, resource)
  if (!measured) return undefined
  const { minutes, values } = measured
  const moments = new Float64Array(minutes.length)
  const locals = new Float64Array(minutes.length)
  const { offsets, plan } = day
  let next = 0
  let offset = 0
  for (let at = 0; at < moments.length; at += 1) {
    const minuteOfDay = minutes[at] as number
    while (next < offsets.length && (offsets[next]?.from ?? 0) <= minuteOfDay) {
      offset = offsets[next]?.offset ?? 0
      next += 1
    }
    moments[at] = plan.start + minuteOfDay * minute
    locals[at] = (moments[at] as number) + offset
  }
  const samples = { resource, date, moments, locals, values: new Float64Array(values) }
  return isFloating(device.provider) ? withoutRepeatedTimes(samples) : samples
}

/** A local time that happens twice has one sample of a provider that sends no other time. */
function withoutRepeatedTimes(samples: DeviceSamples): DeviceSamples {
  let latest = Number.NEGATIVE_INFINITY
  const kept = [...samples.locals.keys()].filter((at) => {
    const isLater = (samples.locals[at] as number) > latest
    latest = Math.max(latest, samples.locals[at] as number)
    return isLater
  })
  const select = (values: Float64Array) => Float64Array.from(kept, (at) => values[at] as number)
  const { moments, locals, values } = samples
  return { ...samples, moments: select(moments), locals: select(locals), values: select(values) }
}

function samplesOfRecords(day: LivedDay, device: Device, resource: string): Measured | undefined {
  const rule = Object.hasOwn(columnsOfRecords, resource) ? columnsOfRecords[resource] : undefined
  if (!rule) return undefined
  const [makeRecords, column] = rule
  const minutes: number[] = []
  const values: number[] = []
  for (const { moments, values: cells } of makeRecords(day, device)) {
    const value = cells[column]
    if (typeof value !== 'number') continue
    minutes.push((Math.min(...Object.values(moments)) - day.plan.start) / minute)
    values.push(value)
  }
  return { minutes, values }
}
