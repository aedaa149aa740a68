import type { EmittedEvent } from '../events/outbox.ts'
import type { SentRow, TruthRow } from '../living/events/truth.ts'

/** A row that a consumer stored: the fields that it keeps of an item, with the resource, the user and the source. */
export type StoredRow = Readonly<Record<string, unknown>>

/** The first difference between what a consumer stored and what it must have stored. */
export interface Difference {
  /**
   * What happened to the row: `lost` if it is missing, `doubled` if it was stored twice, `stale` if an older version is
   * stored, `different` if another field differs, `unknown` if no event has brought it.
   */
  readonly kind: 'lost' | 'doubled' | 'stale' | 'different' | 'unknown'
  /** The name of the resource in event types, such as `sleep`. */
  readonly resource: string
  /** The fields that differ, those of a source such as `source.app_id`. */
  readonly fields: readonly string[]
  /** What the consumer must have stored; undefined for an unknown row. */
  readonly expected: TruthRow | undefined
  /** What it stored; undefined for a lost row. */
  readonly stored: StoredRow | undefined
  /** The event that brought the row; undefined for an unknown row, or if the event is no longer kept. */
  readonly event: EmittedEvent | undefined
  /** The difference in words, without ids and values. */
  readonly message: string
}

/** A difference without its event. */
export interface Found extends Pick<Difference, 'kind' | 'fields' | 'stored'> {
  sent: SentRow | undefined
}
