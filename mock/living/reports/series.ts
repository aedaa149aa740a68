import { sampleFormOf } from '../../../src/contract/values/samples.ts'
import { ownValue } from '../../../src/shared/narrow.ts'
import { minute } from '../../shared/time-units.ts'
import {
  type Device,
  type DeviceRecord,
  type DeviceSamples,
  type SampleFields,
  selectSamples,
} from '../devices/device-record.ts'
import { type LivedDay, livedDay } from '../devices/lived-day.ts'
import { type Measured, measure, sampledSeries } from '../devices/measure.ts'
import { isFloating } from '../devices/offsets.ts'
import { singleSeries, singlesOf } from '../devices/single-measures.ts'
import { habitsOf } from '../devices/wear.ts'
import type { LivingPerson } from '../person/life.ts'
import { bodyRecords, mealRecords } from './measurements.ts'
import { workoutRecords } from './workouts.ts'

/** A time series whose values come from a column of records. */
interface RecordSeries {
  records: (day: LivedDay, device: Device) => DeviceRecord[]
  column: string
  /** How many of the column's units equal one unit of the time series. Default: 1. */
  unit?: number
  fieldsOf?: (record: DeviceRecord) => SampleFields
}

/** The time series that have one value per record. */
const columnsOfRecords: Readonly<Record<string, RecordSeries>> = {
  weight: { records: bodyRecords, column: 'weight_kilogram' },
  fat: { records: bodyRecords, column: 'fat_mass_percentage' },
  body_mass_index: { records: bodyRecords, column: 'body_mass_index' },
  lean_body_mass: { records: bodyRecords, column: 'lean_body_mass_kilogram' },
  waist_circumference: { records: bodyRecords, column: 'waist_circumference_centimeter' },
  carbohydrates: { records: mealRecords, column: 'carbohydrate_gram' },
  workout_duration: {
    records: workoutRecords,
    column: 'duration_active_second',
    unit: 60,
    fieldsOf: intensityOf,
  },
  workout_distance: { records: workoutRecords, column: 'distance_meter' },
}

function intensityOf({ values }: DeviceRecord): SampleFields {
  const rate = values['heart_rate_mean']
  if (typeof rate !== 'number') return { intensity: null }
  return { intensity: rate < 120 ? 'low' : rate < 145 ? 'medium' : 'high' }
}

export const seriesNames: readonly string[] = [
  ...sampledSeries,
  ...Object.keys(columnsOfRecords),
  ...singleSeries,
]

export function reportedSeries(
  person: LivingPerson,
  device: Device,
  resource: string,
  date: number,
): DeviceSamples | undefined {
  if (!device.resources.includes(resource)) return undefined
  const day = livedDay(person, date)
  return day.once(`samples/${device.provider}/${resource}`, () =>
    timedSamples(day, device, resource),
  )
}

function timedSamples(day: LivedDay, device: Device, resource: string): DeviceSamples | undefined {
  const measured =
    samplesOfRecords(day, device, resource) ??
    singleSamples(day, device, resource) ??
    measure(day, device, resource)
  if (!measured) return undefined
  const { minutes, values, fields } = measured
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
  const lengths = lengthsOf(resource, measured)
  const samples = {
    ...{ resource, date: day.date, moments, locals, values: new Float64Array(values) },
    ...(lengths && { lengths }),
    ...(fields && { fields }),
  }
  return isFloating(device.provider) ? withoutRepeatedTimes(samples) : samples
}

/**
 * Removes samples whose local time repeats, for example at the end of daylight saving time. The provider sends only
 * local times, which would be ambiguous.
 */
function withoutRepeatedTimes(samples: DeviceSamples): DeviceSamples {
  let latest = Number.NEGATIVE_INFINITY
  const kept = [...samples.locals.keys()].filter((at) => {
    const isLater = (samples.locals[at] as number) > latest
    latest = Math.max(latest, samples.locals[at] as number)
    return isLater
  })
  return selectSamples(samples, kept)
}

/** Returns one sample per record with a value, or undefined if the time series is not derived from records. */
function samplesOfRecords(day: LivedDay, device: Device, resource: string): Measured | undefined {
  const rule = ownValue(columnsOfRecords, resource)
  if (!rule) return undefined
  const { records, column, unit = 1, fieldsOf } = rule
  const measured = records(day, device).filter(({ values }) => typeof values[column] === 'number')
  const startOf = ({ moments }: DeviceRecord) => Math.min(...Object.values(moments))
  return {
    minutes: measured.map((record) => (startOf(record) - day.plan.start) / minute),
    values: measured.map(({ values }) => Number(values[column]) / unit),
    lengths: measured.map(
      (record) => (Math.max(...Object.values(record.moments)) - startOf(record)) / minute,
    ),
    ...(fieldsOf && { fields: measured.map(fieldsOf) }),
  }
}

function singleSamples(day: LivedDay, device: Device, resource: string): Measured | undefined {
  const { isDayWorn, noise } = habitsOf(day, device)
  const singles = singlesOf(day, resource, noise)
  if (!singles) return undefined
  const used = isDayWorn ? singles : []
  return {
    minutes: used.map(({ at }) => (at - day.plan.start) / minute),
    values: used.map(({ value }) => value),
    lengths: used.map(({ length = 0 }) => length),
    fields: used.map(({ fields }) => fields),
  }
}

/** Returns the length of each interval in milliseconds, or undefined if samples are points in time. */
function lengthsOf(resource: string, { values, lengths = 0 }: Measured): Float64Array | undefined {
  if (!sampleFormOf(resource).isInterval) return undefined
  return Float64Array.from(
    values,
    (_, at) => (typeof lengths === 'number' ? lengths : (lengths[at] ?? 0)) * minute,
  )
}
