import type * as z from 'zod/mini'

/** What repeating a call does: reads nothing but data, ends in the same state, or may act twice. */
export type Effect = 'read' | 'idempotent' | 'unsafe'

/** The HTTP methods that a call can have. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The part of the specification's deprecation schedule (part 9) that concerns an endpoint. */
export interface Deprecation {
  replacement: string
  /** The day of removal, `YYYY-MM-DD`, where the specification gives one. */
  removal?: string
}

/** The wire facts of one operation, as the specification states them. */
export interface Endpoint {
  /** The operation id: namespace and method of the client. */
  id: string
  method: Method
  /** The path as the specification spells it, parameters in braces. */
  path: string
  /** The section of the specification. */
  spec: string
  effect: Effect
  params?: Record<string, z.ZodMiniType>
  query?: z.ZodMiniType
  body?: z.ZodMiniType
  /** The schema of each success status; `binary` for an answer that is not JSON. */
  responses: Record<number, z.ZodMiniType | 'binary'>
  /** The media type asked for; JSON when absent. */
  accept?: string
  /** Milliseconds the service itself may wait before it answers, beyond the network's time. */
  serviceWait?: (body: never) => number
  /** Deprecated request fields, by path, with their replacement (part 9). */
  deprecatedFields?: Record<string, Deprecation>
  deprecated?: Deprecation
}

type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never

type ParamsFor<Path extends string> = [PathParameter<Path>] extends [never]
  ? { params?: never }
  : { params: Record<PathParameter<Path>, z.ZodMiniType> }

/** Declares an endpoint; a path parameter without its schema does not compile. */
export function endpoint<const E extends Endpoint>(facts: E & ParamsFor<E['path']>): E {
  return facts
}

type Output<S> = S extends z.ZodMiniType ? z.infer<S> : undefined

export type ParamsOf<E extends Pick<Endpoint, 'params'>> = {
  [Name in keyof E['params']]: Output<E['params'][Name]>
}
export type QueryOf<E extends Pick<Endpoint, 'query'>> = Output<E['query']>
export type BodyOf<E extends Pick<Endpoint, 'body'>> = Output<E['body']>
export type ResultOf<E extends Endpoint> = Output<E['responses'][keyof E['responses'] & number]>
