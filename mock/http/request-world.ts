import type { Faults } from '../faults/faults.ts'
import type { Recorder } from '../state/recorder.ts'
import type { World } from '../state/world.ts'
import type { Journal } from './journal/journal.ts'
import type { Overrides } from './overrides.ts'

/** The state of a team that handles requests: the world, and the journal, faults and overrides. */
export interface RequestWorld extends World {
  readonly journal: Journal
  readonly faults: Faults
  readonly overrides: Overrides
  readonly recorder: Recorder | undefined
}
