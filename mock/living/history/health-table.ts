import { present } from '../../../src/shared/narrow.ts'
import type { Bucket } from '../../query/calendar.ts'
import { selectRows, type Table } from '../../query/table.ts'
import { day } from '../../shared/time-units.ts'
import { localTime } from '../../shared/time-zone.ts'
import type { Device, DeviceRecord, DeviceSamples } from '../devices/device-record.ts'
import { isSampled } from '../devices/measure.ts'
import type { LivingPerson } from '../person/life.ts'
import { planOf } from '../plan/plan.ts'
import { reportedRecords } from '../reports/records.ts'
import { reportedSeries } from '../reports/series.ts'
import { isTable, recordTable } from './record-table.ts'
import { type SourceSamples, seriesTable } from './series-table.ts'

/** The number of days of history to generate. */
const historyDays = { daily: 365, minutely: 30 } as const

/** An inclusive range of calendar dates, in days since 1970-01-01. */
export interface Dates {
  readonly first: number
  readonly last: number
}

/** Generates a resource's table, and yields after each date. The table is empty if no device measures the resource. */
export function* healthTable(
  resource: string,
  person: LivingPerson,
  devices: readonly Device[],
  { first, last }: Dates,
): Generator<void, Table> {
  const records: DeviceRecord[] = []
  const days: SourceSamples[][] = []
  for (let date = first; date <= last; date += 1) {
    if (isTable(resource)) {
      records.push(...devices.flatMap((device) => reportedRecords(person, device, resource, date)))
    } else {
      days.push(
        devices.flatMap((device): SourceSamples[] => {
          const samples: DeviceSamples | undefined = reportedSeries(person, device, resource, date)
          return samples ? [{ device, samples }] : []
        }),
      )
    }
    yield
  }
  return isTable(resource) ? recordTable(resource, records) : seriesTable(resource, days)
}

/**
 * Returns the dates of the generated history, up to `last`. Sampled time series have a shorter history.
 *
 * @param span The span of local time that limits the dates. Default: no limit.
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

export function knownBefore(table: Table, moment: number): Table {
  const { knownAt = new Float64Array(0) } = table
  const rows: number[] = []
  for (let row = 0; row < knownAt.length; row += 1) {
    if (present(knownAt[row]) < moment) rows.push(row)
  }
  if (rows.length === knownAt.length) return table
  // If the known rows come first in the table, as they usually do, they need not be copied.
  const isStart = rows.at(-1) === rows.length - 1
  return isStart || rows.length === 0
    ? { ...table, time: table.time.subarray(0, rows.length) }
    : selectRows(table, rows)
}

/**
 * Returns a person's calendar date at the given time, in days since 1970-01-01. On a trip, the date can differ from the
 * date at home.
 */
export function dateAt(person: LivingPerson, moment: number): number {
  let date = Math.floor(localTime(person.zone, moment) / day)
  while (planOf(person, date).start > moment) date -= 1
  while (planOf(person, date).end <= moment) date += 1
  return date
}
