import * as z from 'zod/mini'

/**
 * Returns a validator that compiles the schema on its second call. Compiling takes longer than one interpreted check,
 * and a short-lived process uses most schemas only once. If code generation is forbidden, zod interprets every schema.
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
    // zod passes all issues of a list as arguments to a single call, which can overflow the stack.
    if (error instanceof RangeError) return false
    throw error
  }
}
