import { isOfKind, kindsKey, kindsOf } from '../src/contract/values/kinds.ts'
import { seeError } from '../src/shared/error-links.ts'
import { markMockError } from '../src/shared/mock-errors.ts'
import { missingPeer } from '../src/shared/peers.ts'
import { type CallSite, stackOf } from '../src/shared/stack.ts'

/** The codes of {@link MockError}. */
export const mockErrorCodes = [
  'invalid_option',
  'invalid_time',
  'invalid_state',
  'unknown_record',
  'unknown_operation',
  'illegal_transition',
  'failed_event',
  'invalid_snapshot',
  'unused_faults',
  'unsupported_effect',
  'faked_microtasks',
  'missing_package',
  'unreachable',
  'access_denied',
  'defect',
] as const

/** The code of a {@link MockError}. Codes are stable across versions. */
export type MockErrorCode = (typeof mockErrorCodes)[number]

/**
 * Thrown when a call to the mock's API is invalid or fails. The message states the reason and what to do. `instanceof`
 * also works across copies of this package.
 */
export class MockError extends Error {
  /** The class name, unchanged by minifiers. */
  static readonly kind: string = 'MockError'
  override name = 'MockError'
  /** The error code: see {@link MockErrorCode}. */
  readonly code: MockErrorCode

  constructor(code: MockErrorCode, message: string, options?: ErrorOptions) {
    super(message + seeError(code, 'mock'), options)
    this.code = code
    markMockError(this)
  }

  /** Returns whether a value is a `MockError` from any copy of the package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isOfKind(value, this)
  }

  /** @internal */
  get [kindsKey](): readonly string[] {
    return kindsOf(this)
  }
}

/**
 * Awaits the import of a module that requires an optional package.
 *
 * @param user The feature that requires the package, such as `health-lab-sdk/mock`.
 * @throws {MockError} `missing_package` if the package is not installed.
 */
export async function withPackage<T>(user: string, module: Promise<T>): Promise<T> {
  try {
    return await module
  } catch (cause) {
    const message = missingPeer(cause, user)
    throw message ? new MockError('missing_package', message, { cause }) : cause
  }
}

/** Returns the message of any thrown value, even if the value cannot be converted to a string. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error)
  } catch {
    return 'a value that cannot be converted to a string'
  }
}

/**
 * @param sites The lines that added the faults, if known. The error's stack starts at the first known line.
 * @throws {MockError} `unused_faults` if a fault affected no request.
 */
export function checkAllUsed(
  unused: readonly object[],
  sites: readonly (CallSite | undefined)[],
): void {
  if (unused.length === 0) return
  const error = new MockError(
    'unused_faults',
    `Expected every fault to affect a request, but ${unused.length} did not: ${unused.map((fault) => JSON.stringify(fault)).join('; ')}. Check their conditions.`,
  )
  const stack = stackOf(error, sites.find(Boolean))
  if (stack) error.stack = stack
  throw error
}
