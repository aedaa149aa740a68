import { buildTable, type Row, type Table, timeOrder } from '../../../query/table.ts'
import { columnsOf } from './health-rows.ts'
import { timeColumn } from './health-time.ts'
import { rowOf } from './summaries.ts'

/** Adds the rows of a test to what arrived of a resource. The moments of added rows are NaN: their local time decides. */
export function addRows(table: Table, resource: string, added: readonly Row[]): Table {
  if (added.length === 0) return table
  const time = timeColumn(resource)
  const rows = [...Array.from(table.time.keys(), (row) => rowOf(table, row)), ...added]
  const order = timeOrder(rows, time)
  const move = (values: Float64Array) =>
    Float64Array.from(order, (from) => values[from] ?? Number.NaN)
  const { moments, sentAt } = table
  const moved = Object.entries(moments ?? {}).map(([name, values]) => [name, move(values)])
  return {
    ...buildTable(columnsOf(resource), time, rows),
    moments: Object.fromEntries(moved),
    ...(sentAt && { sentAt: { first: move(sentAt.first), latest: move(sentAt.latest) } }),
  }
}
