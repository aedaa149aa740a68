import { useState } from 'preact/hooks'
import type { Snapshot } from '../../../snapshot/snapshot.ts'
import { useTeam } from '../../team-context.ts'

export interface KeptSnapshot {
  number: number
  snapshot: Snapshot
}

/** Each team's snapshots, stored in memory because they can be too large for the browser's storage. */
const keptByTeam = new Map<string, KeptSnapshot[]>()

/** Returns the team's snapshots in this tab, oldest first. */
export function useKeptSnapshots() {
  const { apiKey } = useTeam()
  const [, redraw] = useState(0)
  const kept = keptByTeam.get(apiKey) ?? []
  const replace = (next: KeptSnapshot[]) => {
    keptByTeam.set(apiKey, next)
    redraw((count) => count + 1)
  }
  return {
    kept,
    keep: (snapshot: Snapshot) =>
      replace([...kept, { number: (kept.at(-1)?.number ?? 0) + 1, snapshot }]),
    remove: (number: number) => replace(kept.filter((one) => one.number !== number)),
  }
}
