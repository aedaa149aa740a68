/** The modes of a team's clock. */
export const clockModes = ['auto', 'manual', 'realtime'] as const

/**
 * How virtual time passes. `auto`: time jumps to the next due event while a request is waiting for an event. `manual`:
 * time advances only when you call `advance`, `advanceTo` or `runToNext`. `realtime`: time passes at real-time speed.
 */
export type ClockMode = (typeof clockModes)[number]
