import { markMockError } from '../src/mock-errors.ts'

/** The codes of errors. */
export const mockErrorCodes = [
  'invalid_option',
  'invalid_time',
  'invalid_state',
  'unknown_record',
  'unknown_operation',
  'illegal_transition',
  'failed_event',
  'foreign_snapshot',
  'unused_faults',
  'unsupported_effect',
  'faked_microtasks',
  'missing_package',
  'unreachable',
  'not_admitted',
  'defect',
] as const

/** The code of a {@link MockError}; stable across versions. */
export type MockErrorCode = (typeof mockErrorCodes)[number]

/** Thrown when a call of the mock's API is invalid; the message says why, and what to do instead. */
export class MockError extends Error {
  override name = 'MockError'
  /** What failed. */
  readonly code: MockErrorCode

  constructor(code: MockErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    markMockError(this)
  }
}

/** Returns the message of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** @throws {MockError} `unused_faults` if a fault is unused. */
export function checkAllUsed(unused: readonly object[]): void {
  if (unused.length === 0) return
  throw new MockError(
    'unused_faults',
    `Expected every fault to affect a request, but ${unused.length} did not: ${unused.map((fault) => JSON.stringify(fault)).join('; ')}.`,
  )
}
