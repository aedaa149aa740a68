import type { Deprecation } from '../contract/schema-tools/endpoint.ts'
import type { Outcome } from './errors/service-error.ts'

/**
 * The fields that every hook receives: the operation and its route template. Hooks receive no ids except request ids,
 * and no bodies, queries or keys.
 */
export interface HookEvent {
  /** The operation, such as `users.updateInfo`. */
  operation: string
  /** The method and path template, such as `PATCH /v2/user/{user_id}/info`. */
  route: string
}

/** Describes an attempt that is about to send its request. */
export interface RequestEvent extends HookEvent {
  /** The attempt number, starting at 1. */
  attempt: number
}

/** Describes an attempt that ended with a status or an error code. */
export interface ResponseEvent extends RequestEvent {
  /** The response status. Absent when no response arrived. */
  status?: number
  /** The error code if no usable response arrived, such as `ECONNREFUSED` or `TIMEOUT`. */
  code?: string
  /** What is known about this attempt's effect. */
  outcome: Outcome
  /** The attempt's duration in milliseconds. */
  duration: number
  /** The service's request id, for support requests. */
  requestId?: string | undefined
}

/** Describes a failed attempt that the client will retry. */
export interface RetryEvent extends RequestEvent {
  /** The wait until the next attempt, in milliseconds. */
  delay: number
}

/** Describes a call that ended, whether or not it was sent. Calls with invalid input are not reported. */
export interface EndEvent extends HookEvent {
  /** The number of attempts, or 0 if the call ended before the first. */
  attempts: number
  /** What is known about the call's effect. */
  outcome: Outcome
  /** The code of the error that the call throws, such as `rate_limited`. */
  code?: string
  /** The call's total duration in milliseconds, including waits and retries. */
  duration: number
}

/** Describes a difference between a response and the specification that this version of the package implements. */
export interface DriftEvent extends HookEvent {
  /**
   * `field`: a field that the specification does not define; `value`: a value that it does not list; `format`: a
   * different format; `required`: a missing value; `invalid`: rejected by the schema, with `validation: 'report'`.
   */
  kind: 'field' | 'value' | 'format' | 'required' | 'invalid'
  /**
   * The path in the response, such as `response.markers[].type`; names that the specification does not define are shown
   * as `*`.
   */
  path: string
  /** What the specification expects at the path. */
  expected: string
}

/** Describes a deprecated field that a request uses. */
export interface DeprecationEvent extends HookEvent, Deprecation {
  /** The field, such as `lab_test_id`. */
  field: string
}

/**
 * Callbacks that observe calls. Their return values, errors and rejections are ignored, so hooks never change a call's
 * outcome.
 */
export interface Hooks {
  /** Called before every attempt. */
  request?(event: RequestEvent): void
  /** Called after every attempt. */
  response?(event: ResponseEvent): void
  /** Called before the client waits for the next attempt. */
  retry?(event: RetryEvent): void
  /** Called once when a call with valid arguments ends, unless a mock itself failed. */
  end?(event: EndEvent): void
  /**
   * Called once for each distinct difference from the specification, until the client has reported a total of 1,000
   * differences and deprecations.
   */
  drift?(event: DriftEvent): void
  /** Called once for each deprecated field of an operation, when a call first uses it. */
  deprecation?(event: DeprecationEvent): void
}

export const hookNames = [
  'request',
  'response',
  'retry',
  'end',
  'drift',
  'deprecation',
] as const satisfies readonly (keyof Hooks)[]
