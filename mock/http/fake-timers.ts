import { MockError } from '../errors.ts'
import { settle } from '../shared/settle.ts'

const original = globalThis.queueMicrotask

/**
 * Checks that queued microtasks run. If fake timers have replaced `queueMicrotask`, the platform cannot read bodies,
 * and requests hang.
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
 * Returns whether `queueMicrotask` may be faked: if it is not the original function, or if it has the `clock` property
 * that fake timers add.
 */
export function mayBeFaked(): boolean {
  const current = globalThis.queueMicrotask
  return current !== original || 'clock' in current
}
