/** The possible outcomes of a request. */
export const journalOutcomes = [
  'waiting',
  'responded',
  'refused',
  'lost',
  'aborted',
  'failed',
] as const

/**
 * The outcome of a request. `waiting`: no response yet. `responded`: the mock responded. `refused`: a fault refused the
 * connection. `lost`: a fault closed the connection before the response. `aborted`: the caller aborted the request.
 * `failed`: the mock failed.
 */
export type JournalOutcome = (typeof journalOutcomes)[number]
