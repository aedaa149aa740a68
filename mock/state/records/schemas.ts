import * as z from 'zod/mini'

export const countSchema = z.int().check(z.gte(0))

export const positiveSchema = z.int().check(z.gte(1))

export const jsonObjectSchema = z.record(z.string(), z.unknown())

/**
 * Sets the type of a schema's values if the schema cannot express it. An example is a string such as '15m'.
 *
 * @typeParam Out The type of a checked value.
 * @typeParam In The type that callers may pass.
 */
export function typed<Out, In = Out>(schema: z.ZodMiniType): z.ZodMiniType<Out, In> {
  return schema as unknown as z.ZodMiniType<Out, In>
}
