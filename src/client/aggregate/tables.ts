import type { AggregateTable } from '../../contract/aggregate.ts'

/** Returns the names of a table's columns, `index` first. */
export function columns<Table extends AggregateTable>(result: {
  table: Table
}): (keyof Table & string)[] {
  const names = Object.keys(result.table)
  const others = names.filter((name) => name !== 'index')
  return others.length < names.length ? ['index', ...others] : others
}

/**
 * Converts a columnar table to one object per row.
 *
 * @throws {RangeError} when the columns have different lengths.
 * @example
 * const [sleep] = result.results
 * for (const { index, mean } of rows(sleep)) console.log(index, mean)
 */
export function rows<Table extends AggregateTable>(result: {
  table: Table
}): { [Column in keyof Table]: Table[Column][number] }[] {
  const entries = Object.entries(result.table)
  const lengths = new Set(entries.map(([, values]) => values.length))
  if (lengths.size > 1) {
    const list = entries.map(([, values]) => values.length).join(', ')
    throw new RangeError(`rows: the columns have different lengths (${list})`)
  }
  const [length = 0] = lengths
  return Array.from({ length }, (_, row) => {
    const values = entries.map(([name, column]) => [name, column[row]])
    // Each row has the same keys as the table.
    return Object.fromEntries(values) as { [Column in keyof Table]: Table[Column][number] }
  })
}
