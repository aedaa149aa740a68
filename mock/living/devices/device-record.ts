import { present } from '../../../src/shared/narrow.ts'
import type { CellValue } from '../../query/table.ts'

export interface Device {
  /** The device's id, a UUID. */
  readonly id: string
  /** The provider's slug, such as `oura`. */
  readonly provider: string
  /** The source type, such as `ring`. */
  readonly type: string
  /** The tables and time series that the device provides. */
  readonly resources: readonly string[]
}

/** A table row as a device reports it: a night, a day, a workout, a body measurement, a meal or a profile. */
export interface DeviceRecord {
  /** A UUID that is the same each time the record is generated. */
  readonly id: string
  /** A table, such as `sleep`. */
  readonly resource: string
  /** The record's calendar date, in days since 1970-01-01. */
  readonly date: number
  /** When the record is complete on the device, as a Unix timestamp in milliseconds. */
  readonly readyAt: number
  /** The time columns as Unix timestamps in milliseconds. Local times would be ambiguous when clocks change. */
  readonly moments: Readonly<Record<string, number>>
  /** The values, keyed by column. Times are floating local times. */
  readonly values: Readonly<Record<string, CellValue>>
}

/** A sample's additional fields, keyed by name. A field named `value` replaces the sample's own value. */
export type SampleFields = Readonly<Record<string, CellValue>>

/** The samples of a time series that a device measured on a calendar date, in chronological order. */
export interface DeviceSamples {
  /** A time series, such as `heartrate`. */
  readonly resource: string
  /** The calendar date, in days since 1970-01-01. */
  readonly date: number
  /** Unix timestamps in milliseconds. */
  readonly moments: Float64Array
  /** Local times as Unix timestamps in milliseconds, computed as if the times were UTC. */
  readonly locals: Float64Array
  readonly values: Float64Array
  /** The interval lengths in milliseconds. Default: each sample is a point in time. */
  readonly lengths?: Float64Array
  /** Each sample's additional fields. Default: none. */
  readonly fields?: readonly (SampleFields | undefined)[]
}

export function selectSamples(samples: DeviceSamples, rows: readonly number[]): DeviceSamples {
  const select = (values: Float64Array) => Float64Array.from(rows, (row) => present(values[row]))
  const { moments, locals, values, lengths, fields } = samples
  return {
    ...samples,
    moments: select(moments),
    locals: select(locals),
    values: select(values),
    ...(lengths && { lengths: select(lengths) }),
    ...(fields && { fields: rows.map((row) => fields[row]) }),
  }
}

export function sliceSamples(samples: DeviceSamples, start: number, end: number): DeviceSamples {
  const { moments, locals, values, lengths, fields } = samples
  return {
    ...samples,
    moments: moments.subarray(start, end),
    locals: locals.subarray(start, end),
    values: values.subarray(start, end),
    ...(lengths && { lengths: lengths.subarray(start, end) }),
    ...(fields && { fields: fields.slice(start, end) }),
  }
}
