/** The modes of a team's clock. */
export const clockModes = ['auto', 'manual', 'realtime'] as const

/**
 * How virtual time passes. `auto`: time jumps to the next due event while a request is waiting for one. `manual`: only
 * `advance`, `advanceTo` and `runToNext` advance it. `realtime`: it passes as fast as real time.
 */
export type ClockMode = (typeof clockModes)[number]
