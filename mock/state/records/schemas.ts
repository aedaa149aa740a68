import * as z from 'zod/mini'

export const countSchema = z.int().check(z.gte(0))

export const positiveSchema = z.int().check(z.gte(1))

export const jsonObjectSchema = z.record(z.string(), z.unknown())

/**
 * Sets the type of a schema's values to one that the schema cannot express, such as `TimeSpan`.
 *
 * @typeParam Out The type of a checked value.
 * @typeParam In The type that callers may pass.
 */
export function typed<Out, In = Out>(schema: z.ZodMiniType): z.ZodMiniType<Out, In> {
  return schema as unknown as z.ZodMiniType<Out, In>
}
