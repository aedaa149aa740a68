import type { Source } from '../../../src/contract/source.ts'
import type { ProfileSummary, Summary } from '../../../src/contract/summaries.ts'
import type { SummaryResource } from '../../../src/contract/values/known-values.ts'
import { type SourceView, sourceOf } from '../../events/source.ts'
import { type CellValue, type Table, valueAt } from '../../query/table.ts'
import type { World } from '../world.ts'

/** What of a world the records of summaries are made from. */
export interface SummaryView extends SourceView {
  random: Pick<World['random'], 'fork'>
}

/** The cells of a row by column. */
export type Cells = Partial<Record<string, CellValue>>

/** A row of health data as the record that summaries and events show. */
export function summaryOf(
  resource: SummaryResource,
  user_id: string,
  table: Table,
  row: number,
  view: SummaryView,
): Summary {
  const { source_provider, source_type, source_app_id, id, ...fields } = rowOf(table, row)
  const moment = table.time[row] as number
  const label = `${resource}/${user_id}/${source_provider}/${moment}`
  return {
    ...fields,
    id: typeof id === 'string' ? id : view.random.fork(label).uuid(),
    user_id,
    source: rowSource({ source_provider, source_type, source_app_id }, view),
    calendar_date: new Date(moment).toISOString().slice(0, 10),
  }
}

/** The profile of a user, from a row; from none when `row` is before the first. */
export function profileOf(
  user_id: string,
  table: Table,
  row: number,
  today: string,
  view: SummaryView,
): ProfileSummary {
  const cells = rowOf(table, row)
  const height = cells['height']
  return {
    id: view.random.fork(`profile/${user_id}`).uuid(),
    user_id,
    date: String(cells['date'] ?? today).slice(0, 10),
    height: typeof height === 'number' ? height : null,
    source: rowSource(cells, view),
  }
}

/** The cells of a row; nulls when it is before the first. */
export function rowOf({ columns }: Table, row: number): Cells {
  const cells = Object.entries(columns).map(([name, column]) => [
    name,
    row < 0 ? null : valueAt(column, row),
  ])
  return Object.fromEntries(cells)
}

/** Where a row comes from. */
export function rowSource(
  { source_provider, source_type, source_app_id }: Cells,
  view: SourceView,
): Source {
  const source = sourceOf(
    String(source_provider ?? 'manual'),
    String(source_type ?? 'unknown'),
    view,
  )
  return { ...source, app_id: typeof source_app_id === 'string' ? source_app_id : null }
}
