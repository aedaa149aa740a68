import type { StoredRow, Team } from '../../mock/index.ts'

/** What an item of an event may have. */
interface Item {
  id?: string
  timestamp?: string
  updated_at?: string
}

interface DataEvent {
  event_type: string
  user_id: string
  data: { data?: Item[]; source: { provider: string; type: string } }
}

/** How a consumer of events stores rows: correctly, or with a usual mistake. */
export type Storing = 'by version' | 'latest event' | 'append' | 'without updates'

/** A database of a consumer. */
export class RowStore {
  readonly #rows = new Map<string, StoredRow & Item>()
  readonly #storing: Storing

  constructor(storing: Storing = 'by version') {
    this.#storing = storing
  }

  /** Stores the items of an event. */
  receive({ event_type, user_id, data }: DataEvent): void {
    if (!/^(daily|historical)/.test(event_type)) return
    const resource = event_type.split('.')[2]
    for (const item of data.data ?? [])
      this.#put({ resource, user_id, source: data.source, ...item })
  }

  /** Receives the deliveries of a webhook. */
  readonly handler = async (request: Request): Promise<Response> => {
    this.receive((await request.json()) as DataEvent)
    return new Response()
  }

  /** Returns the rows, of all users or of one. */
  rows(userId?: string): StoredRow[] {
    const rows = [...this.#rows.values()]
    return rows.filter((row) => userId === undefined || row['user_id'] === userId)
  }

  #put(row: StoredRow & Item): void {
    const { resource, user_id, id, timestamp, source } = row
    // The number of a sample is deprecated.
    const recordId = typeof id === 'string' ? id : [user_id, source, timestamp]
    const key = JSON.stringify([resource, recordId])
    const known = this.#rows.get(key)
    if (
      this.#storing === 'by version' &&
      String(known?.updated_at ?? '') > String(row.updated_at ?? '')
    )
      return
    if (this.#storing === 'without updates' && known) return
    const isAdded = this.#storing === 'append' && known !== undefined
    this.#rows.set(isAdded ? `${key}/${this.#rows.size}` : key, row)
  }
}

/** Stores everything that a team sends from now on. */
export function storeEvents(team: Team, storing: Storing = 'by version'): RowStore {
  const store = new RowStore(storing)
  team.webhooks.add({
    handler: store.handler,
    duplicates: 0.1,
    reorder: 12,
    lostResponses: 0.1,
    delay: '20m',
    concurrency: 3,
  })
  return store
}

/** Returns rows in the order of what identifies them. */
export function sortRows(rows: readonly StoredRow[]): StoredRow[] {
  const keyOf = ({ resource, id, timestamp, source }: StoredRow) =>
    JSON.stringify([resource, id, timestamp, source])
  return rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
}
