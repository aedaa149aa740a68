/** The outcomes of a request. */
export const journalOutcomes = [
  'waiting',
  'responded',
  'refused',
  'lost',
  'aborted',
  'failed',
] as const

/**
 * The outcome of a request. `waiting`: it has no response yet. `responded`: it got a response. `refused` and `lost`: a
 * fault refused the connection, or closed it before the response. `aborted`: its caller aborted it. `failed`: the mock
 * failed.
 */
export type JournalOutcome = (typeof journalOutcomes)[number]
