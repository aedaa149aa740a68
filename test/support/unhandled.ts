/** Runs `act` and returns the unhandled rejections that follow. */
export async function unhandledAfter(act: () => unknown): Promise<unknown[]> {
  const unhandled: unknown[] = []
  const listeners = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', (reason) => void unhandled.push(reason))
  try {
    await act()
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  } finally {
    process.removeAllListeners('unhandledRejection')
    for (const listener of listeners) process.on('unhandledRejection', listener)
  }
  return unhandled
}
