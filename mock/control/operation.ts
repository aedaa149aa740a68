import * as z from 'zod/mini'

/** The input and output of a control API operation. `routes.ts` defines its method and path. */
export interface ControlOperation {
  summary: string
  /** An object schema. */
  query?: z.ZodMiniType
  /** Absent for a request without a body. */
  body?: z.ZodMiniType
  /** Absent for a response without a body. */
  output?: z.ZodMiniType
  /** Set if the operation changes no state or adds history points itself, so that none is added after it. */
  isUnrecorded?: true
}

/** `deleted` is false if there was nothing to delete. */
export const deletionSchema = z.object({ deleted: z.boolean() })
