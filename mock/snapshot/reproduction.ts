import type { FaultState } from '../faults/faults.ts'
import type { Settings } from '../state/defaults.ts'
import type { TeamState } from '../state/team-state.ts'
import { type Snapshot, takeSnapshot } from './snapshot.ts'

/** A team's settings, faults and snapshot, as plain JSON. */
export interface Reproduction {
  /** The team's API key. */
  apiKey: string
  /** The team's settings. */
  settings: Settings
  /** The faults and their request counts. */
  faults: FaultState[]
  /** The highest fault number so far, including removed faults. Default: the highest number in `faults`. */
  latestFault?: number
  /** The records, time and events. */
  snapshot: Snapshot
}

export function captureTeam(
  apiKey: string,
  state: TeamState,
  take: (state: TeamState) => Snapshot = takeSnapshot,
): Reproduction {
  const { settings, faults } = state
  const [states, latestFault] = [faults.snapshot(), faults.latest]
  return { apiKey, settings, faults: states, latestFault, snapshot: take(state) }
}
