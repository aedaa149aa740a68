/** This process's counts since it started, for metrics. */
export interface SyncCounts {
  /** The number of messages stored. */
  messages: number
  /** The number of rows stored from messages, backfills and repairs. */
  rows: number
  /** The number of failed attempts. */
  failures: number
  /** The number of messages parked in `failed_messages` for `sync.retry`. */
  parked: number
  /** The number of events stored in `unknown_events`. */
  unknown: number
}
