import { MockError } from '../errors.ts'

const original = globalThis.queueMicrotask

/**
 * Says so, instead of hanging, when fake timers hold back `queueMicrotask`: without it the platform reads no body, of a
 * request or of an answer.
 *
 * @throws {MockError} `faked_microtasks`
 */
export async function checkMicrotasks(): Promise<void> {
  let runs = false
  globalThis.queueMicrotask(() => {
    runs = true
  })
  for (let tick = 0; tick < 8 && !runs; tick += 1) await undefined
  if (runs) return
  throw new MockError(
    'faked_microtasks',
    "queueMicrotask is faked, and without it no body can be read. Leave it real: jest.useFakeTimers({ doNotFake: ['queueMicrotask'] }), or in Vitest vi.useFakeTimers() without queueMicrotask in toFake.",
  )
}

/** Whether `queueMicrotask` may be a fake: another than at the start, or with the mark that fake timers leave. */
export function mayBeFaked(): boolean {
  const current = globalThis.queueMicrotask
  return current !== original || 'clock' in current
}
