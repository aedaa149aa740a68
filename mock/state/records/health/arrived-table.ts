import { recordsUntil, samplesUntil } from '../../../life/arrivals/content.ts'
import type { Feed } from '../../../life/arrivals/feed.ts'
import { isTable, recordTable } from '../../../life/history/record-table.ts'
import { type SourceSamples, seriesTable } from '../../../life/history/series-table.ts'
import type { Table } from '../../../query/table.ts'

/** Returns what the feeds of a user brought until a moment. */
export function arrivedTable(feeds: readonly Feed[], resource: string, moment: number): Table {
  if (isTable(resource)) {
    const arrived = recordsUntil(feeds, resource, moment)
    return recordTable(
      resource,
      arrived.map(({ record }) => record),
    )
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
