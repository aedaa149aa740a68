import { ownFields } from '../../shared/own-fields.ts'
import type { ClientOptions } from '../options/client-options.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'

/** What the copies of a client share with it. */
export interface SharedState {
  /** The slots of concurrent calls; empty until the first call of a client with `maxConcurrency`. */
  slots: { limit?: ConcurrencyLimit }
  /** The differences and deprecations that were reported. */
  reported: Set<string>
}

/** Creates the state of a client that is not a copy. */
export function createSharedState(): SharedState {
  return { slots: ownFields({}), reported: new Set() }
}

/**
 * Returns the state of a copy with changed options. Its calls count towards the limit of the original, unless it has its own
 * `maxConcurrency`. What was reported is not reported again, unless it has its own hooks or logger.
 */
export function stateOfCopy(original: SharedState, changes: ClientOptions): SharedState {
  const { slots, reported } = createSharedState()
  const reports = ['hooks', 'logger', 'logLevel'].some((name) => name in changes)
  return {
    slots: 'maxConcurrency' in changes ? slots : original.slots,
    reported: reports ? reported : original.reported,
  }
}
