import type { FaultState } from '../faults/faults.ts'
import type { Settings } from '../state/defaults.ts'
import type { TeamState } from '../team-state.ts'
import { type Snapshot, takeSnapshot } from './snapshot.ts'

/** The complete state of a team, as plain JSON. */
export interface Reproduction {
  /** The team's API key. */
  apiKey: string
  /** How the team behaves. */
  settings: Settings
  /** The faults, with their counts. */
  faults: FaultState[]
  /** The records, time and events. */
  snapshot: Snapshot
}

/** Returns the complete state of a team. */
export function captureTeam(apiKey: string, state: TeamState): Reproduction {
  const { settings, faults } = state
  return { apiKey, settings, faults: faults.snapshot(), snapshot: takeSnapshot(state) }
}
