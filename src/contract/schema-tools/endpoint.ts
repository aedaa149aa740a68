import type * as z from 'zod/mini'
import type { methods } from '../wire.ts'

/**
 * The effect of a second, identical call.
 * - `read-only`: none, because the call changes nothing.
 * - `idempotent`: no further effect after the first call.
 * - `non-idempotent`: the call may take effect twice.
 */
export type Effect = 'read-only' | 'idempotent' | 'non-idempotent'

/** An HTTP method that operations use. */
export type Method = (typeof methods)[number]

/** An entry in the deprecation schedule (specification part 9). */
export interface Deprecation {
  /** The replacement, such as `order_set` or `GET /v3/lab_test`. */
  replacement: string
  /** The earliest removal date, `YYYY-MM-DD`. Absent if the specification gives no date. */
  removal?: string
}

export interface Endpoint {
  id: string
  method: Method
  path: string
  effect: Effect
  params?: Record<string, z.ZodMiniType>
  query?: z.ZodMiniType
  body?: z.ZodMiniType
  /** The response schema for each success status; `binary` for a response that is not JSON. */
  responses: Record<number, z.ZodMiniType | 'binary'>
  /** Default: `application/json`. */
  accept?: string
  /** Returns how long the service itself may wait before it responds, in milliseconds. Default: 0. */
  serviceWait?: (body: never) => number
  /** Whether requests with the same `x-idempotency-key` receive the first response (assumption). Default: false. */
  acceptsIdempotencyKey?: boolean
  /**
   * Ids that the response echoes from the request: response paths, mapped to paths in the call's input. `*` matches
   * every list item. Default: none.
   */
  echoes?: Readonly<Record<string, string>>
  /** The request body's deprecated fields (specification part 9). */
  deprecatedFields?: Record<string, Deprecation>
  deprecated?: Deprecation
}

type Output<S> = S extends z.ZodMiniType ? z.infer<S> : undefined

export type ParamsOf<E extends Pick<Endpoint, 'params'>> = {
  [Name in keyof E['params']]: Output<E['params'][Name]>
}
export type QueryOf<E extends Pick<Endpoint, 'query'>> = Output<E['query']>
export type BodyOf<E extends Pick<Endpoint, 'body'>> = Output<E['body']>
export type ResultOf<E extends Endpoint> = Output<E['responses'][keyof E['responses'] & number]>
