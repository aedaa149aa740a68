import * as z from 'zod/mini'

/** The schema of an integer of at least 0. */
export const countSchema = z.int().check(z.gte(0))

/** The schema of an integer of at least 1. */
export const positiveSchema = z.int().check(z.gte(1))

/** The schema of any JSON object. */
export const jsonObjectSchema = z.record(z.string(), z.unknown())
