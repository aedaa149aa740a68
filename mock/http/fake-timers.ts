import { MockError } from '../errors.ts'
import { settle } from '../shared/settle.ts'

const original = globalThis.queueMicrotask

/**
 * Checks that fake timers have not replaced `queueMicrotask`. If they have, the platform cannot read bodies, and
 * requests hang.
 *
 * @throws {MockError} `faked_microtasks` if the check fails.
 */
export async function checkMicrotasks(): Promise<void> {
  let runs = false
  globalThis.queueMicrotask(() => {
    runs = true
  })
  if (await settle(() => runs)) return
  throw new MockError(
    'faked_microtasks',
    "The mock cannot read bodies, because queueMicrotask is faked. In Jest, call jest.useFakeTimers({ doNotFake: ['queueMicrotask'] }). In Vitest, remove queueMicrotask from toFake.",
  )
}

/**
 * Returns whether `queueMicrotask` may be faked: it is not the original function, or has the `clock` property that fake
 * timers add.
 */
export function mayBeFaked(): boolean {
  const current = globalThis.queueMicrotask
  return current !== original || 'clock' in current
}
