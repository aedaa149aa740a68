import { recordsOf, type ServiceEvent, sourceOf } from 'health-lab-sdk/events'

/** A stored night, in the form that certify's `probe` returns. */
export interface Night {
  id: string
  user_id: string
  provider: string | undefined
  calendar_date: unknown
  score: unknown
  state: unknown
  updated_at: string
}

/**
 * Stores the newest version of each night by id, regardless of the order in which events arrive. In SQL:
 * `insert … on conflict (id) do update … where excluded.updated_at > nights.updated_at`, with a `timestamptz` column.
 */
export class NightStore {
  readonly #nights = new Map<string, Night>()

  /** The listeners for all events that contain nights. */
  readonly listeners = {
    'daily.data.sleep.created': (event: ServiceEvent) => this.save(event),
    'daily.data.sleep.updated': (event: ServiceEvent) => this.save(event),
    'historical.data.sleep.created': (event: ServiceEvent) => this.save(event),
  }

  save(event: ServiceEvent): void {
    for (const record of recordsOf(event)) {
      const night = toNight(record, event)
      const stored = this.#nights.get(night.id)
      const isNewer = !stored || Date.parse(stored.updated_at) < Date.parse(night.updated_at)
      if (isNewer) this.#nights.set(night.id, night)
    }
  }

  get count(): number {
    return this.#nights.size
  }

  /** Returns a user's stored nights, for `probe`. */
  list(userId: string): Night[] {
    return [...this.#nights.values()].filter(({ user_id }) => user_id === userId)
  }
}

function toNight(record: Record<string, unknown>, event: ServiceEvent): Night {
  return {
    id: String(record['id']),
    user_id: String(event.user_id),
    provider: sourceOf(event)?.provider,
    calendar_date: record['calendar_date'],
    score: record['score'],
    state: record['state'],
    updated_at: String(record['updated_at'] ?? ''),
  }
}
