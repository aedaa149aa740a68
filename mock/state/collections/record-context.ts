import type { Random } from '../../base/random.ts'

/** The state of a team from which records are created. */
export interface RecordContext {
  /** The team's random generator. */
  readonly random: Random
  /** The team's clock. */
  readonly clock: {
    /** Virtual time, in milliseconds since 1970. */
    readonly moment: number
  }
}
