import * as z from 'zod/mini'

/** Compiles a schema's check; where code cannot be generated, zod interprets the schema instead. */
export function compileValidator(schema: z.ZodMiniType): (value: unknown) => boolean {
  const compiled = z.compile(schema)
  return (value) => z.validate(compiled, value)
}
