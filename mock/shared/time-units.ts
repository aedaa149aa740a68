/** The number of milliseconds in each time span unit. */
export const spanUnits = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A time span unit: milliseconds, seconds, minutes, hours or days. */
export type SpanUnit = keyof typeof spanUnits

/** A regular expression, without anchors, for time span strings such as `15m`. */
export const timeSpanPattern = `(\\d+(?:\\.\\d+)?)(${Object.keys(spanUnits).join('|')})?`

/** Milliseconds in a minute. */
export const minute = spanUnits.m

/** Milliseconds in an hour. */
export const hour = spanUnits.h

/** Milliseconds in a day. */
export const day = spanUnits.d
