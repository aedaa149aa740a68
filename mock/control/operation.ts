import * as z from 'zod/mini'

/** What an operation of the control API accepts and returns; `routes.ts` has its method and path. */
export interface ControlOperation {
  /** What the operation does, in one sentence. */
  summary: string
  /** The schema of the query, an object. */
  query?: z.ZodMiniType
  /** The schema of the JSON body; absent for a request without one. */
  body?: z.ZodMiniType
  /** The schema of the response; absent for a response without a body. */
  output?: z.ZodMiniType
  /** Whether the history gets no point for it, because it changes no state or adds points itself. Default: false. */
  isUnrecorded?: true
}

/** The schema of the result of a deletion: whether there was something to delete. */
export const deletionSchema = z.object({ deleted: z.boolean() })
