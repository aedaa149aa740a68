import * as z from 'zod/mini'

/** Compiles a schema into a validator. Where code generation is forbidden, zod interprets the schema instead. */
export function compileValidator(schema: z.ZodMiniType): (value: unknown) => boolean {
  const compiled = z.compile(schema)
  return (value) => z.validate(compiled, value)
}
