import type { Random } from '../../base/random.ts'

/** What the makers of records need of a team. */
export interface RecordContext {
  /** The team's random generator. */
  readonly random: Random
  /** The team's clock. */
  readonly clock: {
    /** Virtual time, in milliseconds since 1970. */
    readonly moment: number
  }
}
