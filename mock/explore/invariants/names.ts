import type { Step } from '../run/steps.ts'

/** The built-in rules that can be switched off. */
export const invariantNames = [
  'doubled',
  'lost',
  'rejections',
  'lateCalls',
  'unsafeRetries',
  'unhandledEvents',
] as const

/**
 * A built-in rule. `doubled`: no order, insurance, appointment or import exists twice. `lost`: what the service has and
 * what `check` returns as stored are the same. `rejections`: no promise rejects without a handler. `lateCalls`: no request
 * after the end of the scenario or its `deadline`. `unsafeRetries`: a non-idempotent request with an unknown outcome is not
 * sent again. `unhandledEvents`: each event is acknowledged in the end.
 */
export type InvariantName = (typeof invariantNames)[number]

/** What a run can violate: a built-in rule, or what is always checked. */
export type ViolationName =
  | InvariantName
  | 'check'
  | 'restart'
  | 'endless'
  | 'intolerant'
  | 'environment'
  | 'scenario'

/** What is wrong after a run. */
export interface Violation {
  /** The violated rule. */
  name: ViolationName
  /** What happened, in a sentence. */
  message: string
  /** The step that violates the rule. Default: that of the first fault. */
  step?: Step | undefined
  /** The error of your code. */
  cause?: unknown
}
