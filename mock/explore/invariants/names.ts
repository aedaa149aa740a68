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
 * A built-in rule. `doubled`: no order, insurance record, appointment or import exists twice. `lost`: the service's
 * records match the records that `check` returns. `rejections`: no error in a promise or timer is left unhandled.
 * `lateCalls`: the program sends no request after the scenario ends or its `deadline` passes. `unsafeRetries`: a
 * non-idempotent request with an unknown outcome is not sent again before a read. `unhandledEvents`: each event is
 * eventually acknowledged.
 */
export type InvariantName = (typeof invariantNames)[number]

/** The operations that must not create a record twice, and the kind of record that each operation creates. */
export const creations = {
  'orders.create': 'order',
  'orders.bookPhlebotomyAppointment': 'appointment',
  'insurance.create': 'insurance',
  'link.bulkImport': 'import',
} as const

/** An operation that must not create a record twice. */
export type CreatingOperation = keyof typeof creations

/** Switches built-in rules on or off. `doubled` also accepts individual operations. */
export interface Invariants extends Partial<Record<Exclude<InvariantName, 'doubled'>, boolean>> {
  /**
   * Whether to check that no record exists twice, for all operations or for individual ones, as in
   * `{ 'link.bulkImport': false }`. Default: true.
   */
  doubled?: boolean | Partial<Record<CreatingOperation, boolean>>
}

/** A rule that a run can violate: a built-in rule, or a rule that always applies. */
export type ViolationName =
  | InvariantName
  | 'check'
  | 'restart'
  | 'endless'
  | 'intolerant'
  | 'environment'
  | 'scenario'

export interface Violation {
  name: ViolationName
  message: string
  /** The step that violated the rule, if known. */
  step?: Step | undefined
  /** The error that the user's code threw or, for `endless`, the action that exceeded the limit. */
  cause?: unknown
}
