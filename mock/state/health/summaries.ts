import type { Source } from '../../../src/contract/source.ts'
import type { Summary } from '../../../src/contract/summary-records/summary.ts'
import type { SummaryResource } from '../../../src/contract/values/known-values.ts'
import { present } from '../../../src/shared/narrow.ts'
import { type Row, rowOf, type Table } from '../../query/table.ts'
import { mapValues } from '../../shared/lists.ts'
import { localTime } from '../../shared/time-zone.ts'
import { makeSource } from '../collections/source.ts'
import type { SummaryPort } from '../ports.ts'
import { rowTime, timeColumn, wireTime } from './health-time.ts'
import { type SummaryField, summaryFields, summaryTables } from './summary-fields.ts'

/** Converts a health data row to the record that summaries and events contain. */
export function summaryOf(
  resource: SummaryResource,
  { user_id, table, row }: { user_id: string; table: Table; row: number },
  context: SummaryPort,
): Summary {
  const cells = rowOf(table, row)
  const local = present(table.time[row])
  const name = summaryTables[resource]
  const { offset, utc } = rowTime({ resource: name, user_id, table, row }, context.data)
  const day = dayOf(local)
  const readField = (field: SummaryField): unknown => {
    if (typeof field === 'function') return field({ offset, day, cells })
    if (typeof field === 'object') return mapValues(field, readField)
    const column = table.columns[field]
    return column?.type === 'time' ? utc(field) : (cells[field] ?? null)
  }
  const moment = utc(timeColumn(name))
  const label = `${resource}/${user_id}/${cells['source_provider']}/${local}`
  return {
    id: typeof cells['id'] === 'string' ? cells['id'] : context.random.fork(label).uuid(),
    user_id,
    ...mapValues(summaryFields[resource], readField),
    source: rowSource(cells, context),
    [resource === 'profile' ? 'date' : 'calendar_date']: day,
    created_at: sentAt(table.sentAt?.first[row]) ?? moment,
    updated_at: sentAt(table.sentAt?.latest[row]) ?? moment,
  }
}

function sentAt(moment: number | undefined): string | undefined {
  return moment === undefined || Number.isNaN(moment) ? undefined : wireTime(moment)
}

export function emptyProfile(
  user_id: string,
  provider: string | null | undefined,
  context: SummaryPort,
): Summary {
  const today = localTime(context.data.zoneOf(user_id), context.clock.moment)
  return {
    id: context.random.fork(`profile/${user_id}`).uuid(),
    user_id,
    ...mapValues(summaryFields.profile, () => null),
    source: makeSource(provider ?? 'manual', 'unknown', context),
    date: dayOf(today),
    created_at: null,
    updated_at: null,
  }
}

function dayOf(local: number): string {
  return new Date(local).toISOString().slice(0, 10)
}

export function rowSource(
  { source_provider, source_type, source_app_id }: Row,
  context: SummaryPort,
): Source {
  const source = makeSource(
    String(source_provider ?? 'manual'),
    String(source_type ?? 'unknown'),
    context,
  )
  return { ...source, app_id: typeof source_app_id === 'string' ? source_app_id : null }
}
