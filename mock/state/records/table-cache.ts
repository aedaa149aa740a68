import type { Table } from '../../query/table.ts'

/** The bytes of the tables that are kept; a table of minutes takes about 1.5 MB, one of days about 0.1 MB. */
const cachedBytes = 32 * 1024 * 1024

/** Tables by name, up to a number of bytes; the least recently used ones are dropped. */
export class TableCache {
  readonly #tables = new Map<string, Table>()
  #bytes = 0

  /** Returns a table, and creates it if it is not kept. */
  get(name: string, create: () => Table): Table {
    const known = this.#tables.get(name)
    const table = known ?? create()
    // The last one is the most recently used one.
    if (known) this.#tables.delete(name)
    else this.#bytes += bytesOf(table)
    this.#tables.set(name, table)
    this.#dropOldest()
    return table
  }

  /** Drops a table. */
  delete(name: string): void {
    const table = this.#tables.get(name)
    if (!table) return
    this.#tables.delete(name)
    this.#bytes -= bytesOf(table)
  }

  /** Drops every table. */
  clear(): void {
    this.#tables.clear()
    this.#bytes = 0
  }

  /** The latest table is kept, however large it is. */
  #dropOldest(): void {
    while (this.#bytes > cachedBytes && this.#tables.size > 1) {
      const [oldest = ''] = this.#tables.keys()
      this.delete(oldest)
    }
  }
}

function bytesOf({ time, columns }: Table): number {
  return Object.values(columns).reduce((sum, column) => {
    return sum + (column.type === 'text' ? column.codes : column.values).byteLength
  }, time.byteLength)
}
