import type { ComponentChildren } from 'preact'
import { formatDateTime } from '../format.ts'
import { Loading } from './panel.tsx'

export interface TableColumn<T> {
  title: string
  /** Whether the column is hidden on narrow screens. */
  isMinor?: boolean
  /** Whether the cells are numbers, which are right-aligned. */
  isNumber?: boolean
  /** Whether the cells never wrap, for example because they contain dates. */
  isUnbroken?: boolean
  cell: (row: T) => ComponentChildren
}

export function timeColumn<T>(
  title: string,
  at: (row: T) => string | null | undefined,
): TableColumn<T> {
  return { title, isMinor: true, isUnbroken: true, cell: (row) => formatDateTime(at(row)) }
}

interface TableProps<T> {
  caption: string
  columns: readonly TableColumn<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string
}

/** The maximum number of records that a panel requests. */
export const recordLimit = 200

interface RecordTableProps<T> extends Omit<TableProps<T>, 'rows'> {
  /** The records, undefined while they are loading, or null if the request failed. */
  rows: readonly T[] | null | undefined
  empty: ComponentChildren
}

export function RecordTable<T>({ rows, empty, ...table }: RecordTableProps<T>) {
  if (!rows) return <Loading />
  if (rows.length === 0) return empty
  return (
    <>
      <DataTable rows={rows} {...table} />
      {rows.length >= recordLimit && <p class="hint">Showing the latest {recordLimit}.</p>}
    </>
  )
}

export function DataTable<T>({ caption, columns, rows, keyOf }: TableProps<T>) {
  return (
    <div class="sheet">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={cellClass(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.title} class={cellClass(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function cellClass<T>({ isMinor, isNumber, isUnbroken }: TableColumn<T>): string {
  return `${isMinor ? 'minor' : ''} ${isNumber ? 'number' : ''} ${isUnbroken ? 'unbroken' : ''}`
}
