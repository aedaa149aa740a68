import type { AggregateResource } from '../../../../src/contract/values/columns.ts'
import { type ArrivedRecord, recordsUntil, samplesUntil } from '../../../life/arrivals/content.ts'
import type { Feed } from '../../../life/arrivals/feed.ts'
import { isTable, recordTable } from '../../../life/history/record-table.ts'
import { type SourceSamples, seriesTable } from '../../../life/history/series-table.ts'
import { type Table, valueAt } from '../../../query/table.ts'

/** Returns what the feeds of a user brought until a moment. */
export function arrivedTable(feeds: readonly Feed[], resource: string, moment: number): Table {
  if (isTable(resource)) {
    return arrivedRecordTable(resource, recordsUntil(feeds, resource, moment))
  }
  const days = new Map<number, SourceSamples[]>()
  for (const { device, samples, start, end } of samplesUntil(feeds, resource, moment)) {
    const { date, moments, locals, values } = samples
    const part = {
      resource,
      date,
      moments: moments.subarray(start, end),
      locals: locals.subarray(start, end),
      values: values.subarray(start, end),
    }
    const sources = days.get(date) ?? []
    sources.push({ device, samples: part })
    days.set(date, sources)
  }
  return seriesTable([...days].sort(([one], [other]) => one - other).map(([, sources]) => sources))
}

/** Returns records that arrived as a table. */
export function arrivedRecordTable(
  resource: AggregateResource,
  arrived: readonly ArrivedRecord[],
): Table {
  const byId = new Map(arrived.map((one) => [one.record.id, one]))
  const records = arrived.map(({ record }) => record)
  const table = recordTable(resource, records)
  const { id } = table.columns
  const of = (row: number) => byId.get(String(id && valueAt(id, row)))
  const moments = (momentOf: (one: ArrivedRecord) => number) =>
    Float64Array.from(table.time, (_, row) => {
      const one = of(row)
      return one ? momentOf(one) : Number.NaN
    })
  return {
    ...table,
    sentAt: { first: moments(({ firstAt }) => firstAt), latest: moments(({ at }) => at) },
  }
}
