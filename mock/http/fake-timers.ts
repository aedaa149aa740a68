import { MockError } from '../errors.ts'
import { settle } from '../shared/settle.ts'

const original = globalThis.queueMicrotask

/**
 * Checks that fake timers have not replaced `queueMicrotask`. If they have, the platform cannot read bodies, and
 * requests hang.
 *
 * @throws {MockError} `faked_microtasks`
 */
export async function checkMicrotasks(): Promise<void> {
  let runs = false
  globalThis.queueMicrotask(() => {
    runs = true
  })
  if (await settle(() => runs)) return
  throw new MockError(
    'faked_microtasks',
    "The mock cannot read bodies, because queueMicrotask is faked. Do not fake it: jest.useFakeTimers({ doNotFake: ['queueMicrotask'] }), or in Vitest vi.useFakeTimers() without queueMicrotask in toFake.",
  )
}

/** Returns whether `queueMicrotask` may be faked: it is not the original function, or has the `clock` property that fake timers add. */
export function mayBeFaked(): boolean {
  const current = globalThis.queueMicrotask
  return current !== original || 'clock' in current
}
