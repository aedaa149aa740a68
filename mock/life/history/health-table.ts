import { day } from '../../base/time-units.ts'
import type { Bucket } from '../../query/calendar.ts'
import { selectRows, type Table } from '../../query/table.ts'
import { isSampled } from '../devices/day/measure.ts'
import type { Device, DeviceSamples } from '../devices/device-record.ts'
import { reportedRecords } from '../devices/records.ts'
import { reportedSeries } from '../devices/series.ts'
import type { Person } from '../person/person.ts'
import { isTable, recordTable } from './record-table.ts'
import { type SourceSamples, seriesTable } from './series-table.ts'

/** The days of generated history before the virtual time. */
export const historyDays = { daily: 365, minutely: 30 } as const

/** Calendar dates in days since 1970-01-01, both inclusive. */
export interface Dates {
  readonly first: number
  readonly last: number
}

/** Returns what devices report of a person on some dates. A resource that no device measures has no rows. */
export function healthTable(
  resource: string,
  person: Person,
  devices: readonly Device[],
  dates: Dates,
): Table {
  const days = Array.from(
    { length: Math.max(0, dates.last - dates.first + 1) },
    (_, at) => dates.first + at,
  )
  if (isTable(resource)) {
    const records = days.flatMap((date) =>
      devices.flatMap((device) => reportedRecords(person, device, resource, date)),
    )
    return recordTable(resource, records)
  }
  return seriesTable(
    days.map((date) =>
      devices.flatMap((device): SourceSamples[] => {
        const samples: DeviceSamples | undefined = reportedSeries(person, device, resource, date)
        return samples ? [{ device, samples }] : []
      }),
    ),
  )
}

/**
 * Returns the dates of the generated history up to a date: fewer ones of what is sampled in minutes.
 *
 * @param span Only dates of this span of local time.
 */
export function historyOf(resource: string, last: number, span?: Bucket): Dates {
  const count = isSampled(resource) ? historyDays.minutely : historyDays.daily
  const all = { first: last - count + 1, last }
  if (!span) return all
  return {
    first: Math.max(all.first, Math.floor(span.start / day)),
    last: Math.min(all.last, Math.ceil(span.end / day) - 1),
  }
}

/** Returns the rows of a table that are known before a moment. */
export function knownBefore(table: Table, moment: number): Table {
  const { knownAt = new Float64Array(0) } = table
  const isKnown = (at: number) => at < moment
  const first = knownAt.findIndex((at) => !isKnown(at))
  if (first < 0) return table
  if (!knownAt.subarray(first).some(isKnown))
    return { ...table, time: table.time.subarray(0, first) }
  const rows = [...knownAt.keys()].filter((row) => isKnown(knownAt[row] as number))
  return selectRows(table, rows)
}
