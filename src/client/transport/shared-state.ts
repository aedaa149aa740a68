import { ownFields } from '../../shared/own-fields.ts'
import type { ClientOptions } from '../options/client-options.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'

export interface SharedState {
  /** The concurrency limit, unset until a client with `maxConcurrency` makes its first call. */
  slots: { limit?: ConcurrencyLimit }
  /** The keys of all differences and deprecations reported so far. */
  reported: Set<string>
}

export function createSharedState(): SharedState {
  return { slots: ownFields({}), reported: new Set() }
}

/**
 * Returns the shared state for a copy of a client. The copy shares the original's concurrency limit unless it sets
 * `maxConcurrency`. It does not report differences and deprecations again unless it sets `hooks`, `logger` or
 * `logLevel`.
 */
export function stateOfCopy(original: SharedState, changes: ClientOptions): SharedState {
  const { slots, reported } = createSharedState()
  const reports = ['hooks', 'logger', 'logLevel'].some((name) => name in changes)
  return {
    slots: 'maxConcurrency' in changes ? slots : original.slots,
    reported: reports ? reported : original.reported,
  }
}
