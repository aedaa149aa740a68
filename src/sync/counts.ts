/** What this process has done since it started, for metrics. */
export interface SyncCounts {
  /** The messages that were stored. */
  messages: number
  /** The rows of these messages, of backfills and of repairs. */
  rows: number
  /** The attempts that failed. */
  failures: number
  /** The messages that went to `failed_messages` for `sync.retry`. */
  parked: number
  /** The events that went to `unknown_events`. */
  unknown: number
}

/** Returns counts of nothing. */
export function newCounts(): SyncCounts {
  return { messages: 0, rows: 0, failures: 0, parked: 0, unknown: 0 }
}
