import type { EmittedEvent } from '../events/outbox.ts'
import type { SentRow, TruthRow } from '../living/events/truth.ts'

/** A stored row: the fields that the consumer kept from the event's item, plus the resource, user and source. */
export type StoredRow = Readonly<Record<string, unknown>>

/** The first difference between a consumer's stored rows and the rows that it should have stored. */
export interface Difference {
  /**
   * The kind of difference: `lost` if the row is missing, `doubled` if it is stored twice, `stale` if an older version
   * is stored, `different` if a field has a different value, or `unknown` if no event delivered the row.
   */
  readonly kind: 'lost' | 'doubled' | 'stale' | 'different' | 'unknown'
  /** The name of the resource in event types, such as `sleep`. */
  readonly resource: string
  /** The names of the fields that differ. Source fields have names such as `source.app_id`. */
  readonly fields: readonly string[]
  /** The row that the consumer should have stored, or undefined if no event delivered it. */
  readonly expected: TruthRow | undefined
  /** The row that the consumer stored, or undefined if it is missing. */
  readonly stored: StoredRow | undefined
  /** The event that delivered the row, or undefined if no event did or the team no longer stores the event. */
  readonly event: EmittedEvent | undefined
  /** A description of the difference, without ids or values. */
  readonly message: string
}

/** A difference whose event has not been looked up. */
export interface Found extends Pick<Difference, 'kind' | 'fields' | 'stored'> {
  sent: SentRow | undefined
}
