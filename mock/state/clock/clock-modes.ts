export const clockModes = ['auto', 'manual', 'realtime'] as const

/**
 * How virtual time passes. `auto`: when a request or a retry waits, time jumps ahead until the wait ends. `manual`:
 * time advances only when you call `advance`, `advanceTo` or `runToNext`. `realtime`: time passes at real-time speed.
 */
export type ClockMode = (typeof clockModes)[number]
