import * as z from 'zod/mini'

/**
 * Returns a validator that compiles the schema at its second use. Compiling takes longer than interpreting it once, and a
 * short run uses most schemas only once. Where code generation is forbidden, zod interprets the schema each time.
 */
export function compileValidator(schema: z.ZodMiniType): (value: unknown) => boolean {
  let isUsed = false
  let compiled: z.ZodMiniType | undefined
  return (value) => {
    if (isUsed) compiled ??= z.compile(schema)
    isUsed = true
    return isValid(compiled ?? schema, value)
  }
}

function isValid(schema: z.ZodMiniType, value: unknown): boolean {
  try {
    return z.validate(schema, value)
  } catch (error) {
    // zod passes all issues of a list as arguments of one call, which can be more than the stack has space for.
    if (error instanceof RangeError) return false
    throw error
  }
}
