import type { ExtraHeaders } from '../headers.ts'
import { headerIssues } from '../headers.ts'
import { isSignal } from '../transport/cancellation.ts'
import { createRule, type OptionRules, oneOf, timerInteger } from './rules.ts'

/**
 * How responses are checked: `strict` throws a `ResponseValidationError`, `report` calls `hooks.drift` and returns the
 * response, and `off` accepts any JSON.
 */
export type Validation = 'strict' | 'report' | 'off'

/** Options for one call. They override the client's options. */
export interface RequestOptions {
  /** Aborts the call, which rejects with an `AbortError`. Its `outcome` says whether the call may have taken effect. */
  signal?: AbortSignal | undefined
  /**
   * The timeout in milliseconds for one attempt, including the response body. For a download, it is also the maximum
   * time without new data. An integer from 1 to 2,147,483,647. The client does not extend it. Default: the client's
   * value, plus the time that the service itself may wait.
   */
  timeout?: number | undefined
  /**
   * The time limit in milliseconds for the whole call, including attempts, waits and downloads. An integer from 1 to
   * 2,147,483,647. The client does not extend it. Default: the client's value.
   */
  deadline?: number | undefined
  /** The maximum number of retries when retrying is safe, at least 0. Default: the client's value. */
  maxRetries?: number | undefined
  /** Headers to add to the request; they replace client headers of the same name. */
  headers?: ExtraHeaders | undefined
  /** How the response is checked. Default: the client's value. */
  validation?: Validation | undefined
}

export const sharedOptionRules = {
  timeout: timerInteger(1),
  deadline: timerInteger(1),
  maxRetries: timerInteger(0),
  headers: headerIssues,
  validation: oneOf<Validation>('strict', 'report', 'off'),
} satisfies OptionRules

export const requestOptionRules: Record<keyof RequestOptions, OptionRules[string]> = {
  signal: createRule('an AbortSignal', isSignal),
  ...sharedOptionRules,
}
