import { type AggregateResource, aggregateColumns } from '../../../src/contract/values/columns.ts'
import { buildTable, type CellValue, type Table } from '../../query/table.ts'
import type { DeviceRecord } from '../devices/device-record.ts'

export const timeColumns: Readonly<Record<AggregateResource, string>> = {
  sleep: 'session_end',
  activity: 'date',
  workout: 'session_start',
  body: 'measured_at',
  meal: 'date',
  profile: 'updated_at',
}

export function isTable(resource: string): resource is AggregateResource {
  return Object.hasOwn(timeColumns, resource)
}

export function recordTable(resource: AggregateResource, records: readonly DeviceRecord[]): Table {
  const column = timeColumns[resource]
  const sorted = records.toSorted(
    (one, other) =>
      compare(one.values[column], other.values[column]) ||
      (one.moments[column] ?? 0) - (other.moments[column] ?? 0),
  )
  const rows = sorted.map(({ values }) => values)
  const table = buildTable(aggregateColumns[resource], column, rows)
  const moments = Object.entries(aggregateColumns[resource])
    .filter(([, type]) => type === 'time')
    .map(([name]) => [name, momentsOf(name, sorted)])
  return {
    ...table,
    moments: Object.fromEntries(moments),
    knownAt: Float64Array.from(sorted, ({ readyAt }) => readyAt),
  }
}

function momentsOf(name: string, records: readonly DeviceRecord[]): Float64Array {
  return Float64Array.from(records, ({ moments }) => moments[name] ?? Number.NaN)
}

/** Compares two local times, which have equal lengths and therefore sort chronologically as strings. */
function compare(one: CellValue | undefined, other: CellValue | undefined): number {
  return String(one) < String(other) ? -1 : Number(String(one) > String(other))
}
