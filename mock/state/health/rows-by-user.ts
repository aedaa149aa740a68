interface UserRow {
  id: string
  user_id: string
  resource: string
}

/** An index of rows by user. Each user's rows are in insertion order. The index is built on first use. */
export class RowsByUser<Row extends UserRow> {
  readonly #all: () => readonly Row[]
  /** The rows by user id, then by row id. */
  readonly #rows = new Map<string, Map<string, Row>>()
  readonly #counts = new Map<string, number>()
  #isBuilt = false

  constructor(all: () => readonly Row[]) {
    this.#all = all
  }

  of(userId: string): readonly Row[] {
    this.#build()
    return [...(this.#rows.get(userId)?.values() ?? [])]
  }

  /** Returns whether a user has rows of the given resource or, if omitted, of any resource. */
  has(userId: string, resource?: string): boolean {
    this.#build()
    if (resource === undefined) return this.#rows.has(userId)
    return this.#counts.has(countKey(userId, resource))
  }

  update({ before: old, after: row }: { before?: Row; after?: Row }): void {
    if (!this.#isBuilt) return
    if (old) this.#count(old, -1)
    if (row) this.#put(row)
    else if (old) this.#delete(old)
    // If a row moves to another user, build the index again, because only the collection stores the row order.
    if (old && row && old.user_id !== row.user_id) this.forget()
  }

  forget(): void {
    this.#rows.clear()
    this.#counts.clear()
    this.#isBuilt = false
  }

  #build(): void {
    if (this.#isBuilt) return
    this.#isBuilt = true
    for (const row of this.#all()) this.#put(row)
  }

  #put(row: Row): void {
    const rows = this.#rows.get(row.user_id) ?? new Map<string, Row>()
    this.#rows.set(row.user_id, rows.set(row.id, row))
    this.#count(row, 1)
  }

  #delete({ id, user_id }: Row): void {
    const rows = this.#rows.get(user_id)
    rows?.delete(id)
    if (rows?.size === 0) this.#rows.delete(user_id)
  }

  #count(row: Row, change: 1 | -1): void {
    const key = countKey(row.user_id, row.resource)
    const count = (this.#counts.get(key) ?? 0) + change
    if (count === 0) this.#counts.delete(key)
    else this.#counts.set(key, count)
  }
}

function countKey(userId: string, resource: string): string {
  return `${resource}/${userId}`
}
