/** The outcomes of a case, and how a table marks them. */
export const marks = { passed: 'ok', failed: 'FAILED', skipped: '-' }

/** The outcome of a case; `skipped` when the case did not run. */
export type Outcome = keyof typeof marks

/** The result of a case, as reports print it. */
export interface PrintedResult {
  id: string
  title: string
  outcome: Outcome
  /** Why the case failed or was skipped. */
  reason?: string
  /** Further lines below the reason. */
  notes?: readonly string[]
}

/** Counts the results with an outcome. */
export function countOutcome(results: readonly { outcome: Outcome }[], outcome: Outcome): number {
  return results.filter((result) => result.outcome === outcome).length
}
