import type { ExtraHeaders } from '../headers.ts'
import { headerIssues } from '../headers.ts'
import { isSignal } from '../transport/cancellation.ts'
import { createRule, type OptionRules, oneOf, timerInteger } from './rules.ts'

/**
 * How responses are checked: `strict` throws a `ResponseValidationError`, `report` calls `hooks.drift` and returns the
 * response, `off` checks nothing.
 */
export type Validation = 'strict' | 'report' | 'off'

/** Options of one call. They override the client's options. */
export interface RequestOptions {
  /** Aborts the call, which then rejects with an `AbortError`; its `outcome` says what is known about the effect. */
  signal?: AbortSignal | undefined
  /**
   * Milliseconds for one attempt, headers and body; for a download, also the longest time without a byte. An integer from
   * 1 to 2,147,483,647, applied exactly. Default: the client's value, plus the time that the service itself may wait.
   */
  timeout?: number | undefined
  /**
   * Milliseconds for the whole call: attempts, waits, bodies, and reading a download. An integer from 1 to 2,147,483,647,
   * applied exactly. Default: the client's value.
   */
  deadline?: number | undefined
  /** Retries after the first attempt, if the operation is safe to retry. An integer from 0. Default: the client's value. */
  maxRetries?: number | undefined
  /** Headers to add to the request; they replace headers of the client with the same name. */
  headers?: ExtraHeaders | undefined
  /** How the response is checked. Default: the client's value. */
  validation?: Validation | undefined
}

/** The rules of the options that a client and a call share. */
export const sharedOptionRules = {
  timeout: timerInteger(1),
  deadline: timerInteger(1),
  maxRetries: timerInteger(0),
  headers: headerIssues,
  validation: oneOf<Validation>('strict', 'report', 'off'),
} satisfies OptionRules

/** The rules of a call's options, one for each. */
export const requestOptionRules: Record<keyof RequestOptions, OptionRules[string]> = {
  signal: createRule('an AbortSignal', isSignal),
  ...sharedOptionRules,
}
