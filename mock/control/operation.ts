import * as z from 'zod/mini'

/** A control API operation. `routes.ts` defines its method and path. */
export interface ControlOperation {
  summary: string
  /** An object schema. */
  query?: z.ZodMiniType
  body?: z.ZodMiniType
  output?: z.ZodMiniType
  /** Set if no history point is added after the operation, because it changes no state or adds points itself. */
  isUnrecorded?: true
}

/** `deleted` is false if there was nothing to delete. */
export const deletionSchema = z.object({ deleted: z.boolean() })
