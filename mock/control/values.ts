import * as z from 'zod/mini'

/** A length of time: milliseconds, or text such as `15m`. */
export const span = z.union([z.number().check(z.gte(0)), z.string()])

/** A moment: ISO 8601, or milliseconds since 1970. */
export const instant = z.union([z.string(), z.number()])

/** Any JSON object. */
export const anything = z.record(z.string(), z.unknown())
