/** What a {@link MockError} is about; stable across versions. */
export type MockErrorCode =
  | 'invalid_option'
  | 'invalid_time'
  | 'invalid_state'
  | 'unknown_record'
  | 'unknown_operation'
  | 'illegal_transition'
  | 'failed_event'
  | 'foreign_snapshot'
  | 'unused_faults'
  | 'unsupported_effect'
  | 'faked_microtasks'
  | 'missing_package'
  | 'unreachable'
  | 'not_admitted'
  | 'defect'

/** The mock's own API was used in a way that it cannot follow; the message says what was expected. */
export class MockError extends Error {
  override name = 'MockError'
  readonly code: MockErrorCode

  constructor(code: MockErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** @throws {MockError} `unused_faults` when there is one. */
export function checkAllUsed(unused: readonly object[]): void {
  if (unused.length === 0) return
  throw new MockError(
    'unused_faults',
    `Expected every fault to be met by a request, but ${unused.length} never was: ${unused.map((fault) => JSON.stringify(fault)).join('; ')}.`,
  )
}
