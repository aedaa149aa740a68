import type { Source } from '../../../src/contract/source.ts'
import type { ProfileSummary, Summary } from '../../../src/contract/summaries.ts'
import type { SummaryResource } from '../../../src/contract/values/known-values.ts'
import type { Random } from '../../base/random.ts'
import { type CellValue, type Table, valueAt } from '../../query/table.ts'
import { makeSource, type SourceContext } from './source.ts'

/** The state from which summaries are created. */
export interface SummaryContext extends SourceContext {
  /** The random generator of the team. */
  random: Pick<Random, 'fork'>
}

/** The values of a row by column. */
export type Cells = Partial<Record<string, CellValue>>

/** Returns a row of health data as summaries and events show it. */
export function summaryOf(
  resource: SummaryResource,
  user_id: string,
  table: Table,
  row: number,
  context: SummaryContext,
): Summary {
  const { source_provider, source_type, source_app_id, id, ...fields } = rowOf(table, row)
  const moment = table.time[row] as number
  const label = `${resource}/${user_id}/${source_provider}/${moment}`
  return {
    ...fields,
    id: typeof id === 'string' ? id : context.random.fork(label).uuid(),
    user_id,
    source: rowSource({ source_provider, source_type, source_app_id }, context),
    calendar_date: new Date(moment).toISOString().slice(0, 10),
  }
}

/** Returns the profile of a user from a row; without values if `row` is negative. */
export function profileOf(
  user_id: string,
  table: Table,
  row: number,
  today: string,
  context: SummaryContext,
): ProfileSummary {
  const cells = rowOf(table, row)
  const height = cells['height']
  return {
    id: context.random.fork(`profile/${user_id}`).uuid(),
    user_id,
    date: String(cells['date'] ?? today).slice(0, 10),
    height: typeof height === 'number' ? height : null,
    source: rowSource(cells, context),
  }
}

/** Returns the values of a row; nulls if `row` is negative. */
export function rowOf({ columns }: Table, row: number): Cells {
  const cells = Object.entries(columns).map(([name, column]) => [
    name,
    row < 0 ? null : valueAt(column, row),
  ])
  return Object.fromEntries(cells)
}

/** Returns the source of a row. */
export function rowSource(
  { source_provider, source_type, source_app_id }: Cells,
  context: SourceContext,
): Source {
  const source = makeSource(
    String(source_provider ?? 'manual'),
    String(source_type ?? 'unknown'),
    context,
  )
  return { ...source, app_id: typeof source_app_id === 'string' ? source_app_id : null }
}
