import type { Faults } from '../faults/faults.ts'
import type { World } from '../state/world.ts'
import type { Journal } from './journal.ts'
import type { Overrides } from './overrides.ts'

/** What handling a team's requests needs: its world, and what acts on requests and responses. */
export interface Tenant extends World {
  readonly journal: Journal
  readonly faults: Faults
  readonly overrides: Overrides
}
