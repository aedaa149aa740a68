import * as z from 'zod/mini'

/** The input and output of a control API operation. `routes.ts` defines its method and path. */
export interface ControlOperation {
  /** A description of the operation, in one sentence. */
  summary: string
  /** The schema of the query parameters, an object. */
  query?: z.ZodMiniType
  /** The schema of the JSON body; absent for a request without a body. */
  body?: z.ZodMiniType
  /** The schema of the response; absent for a response without a body. */
  output?: z.ZodMiniType
  /**
   * Whether no history point is added for the operation, because it changes no state or adds points itself. Default: false.
   */
  isUnrecorded?: true
}

/** The schema of a deletion's result: whether there was anything to delete. */
export const deletionSchema = z.object({ deleted: z.boolean() })
