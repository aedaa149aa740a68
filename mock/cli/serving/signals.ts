/**
 * A second signal within this many milliseconds is treated as a duplicate of the first. In a terminal, Ctrl+C reaches a
 * command run by `npx` twice: once from the terminal and once from npm.
 */
const sameSignal = 500

/** The interval between checks of the parent process, in milliseconds. */
const parentInterval = 200

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Resolves on the first SIGINT, SIGTERM or SIGHUP, or when `npx` exits. A later signal ends the process immediately.
 */
export function stopSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let first: number | undefined
  const handle = (signal: NodeJS.Signals) => {
    const now = performance.now()
    if (first === undefined) {
      first = now
      resolve()
    } else if (now - first > sameSignal) {
      for (const name of stopSignals) process.off(name, handle)
      process.kill(process.pid, signal)
    }
  }
  for (const name of stopSignals) process.on(name, handle)
  onLostParent(() => handle('SIGTERM'))
  return promise
}

/**
 * Calls `lost` after `npx` exits. A signal that terminates `npx` reaches only the shell between `npx` and this process,
 * and the shell then exits.
 */
function onLostParent(lost: () => void): void {
  if (process.env['npm_lifecycle_event'] !== 'npx') return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    lost()
  }, parentInterval).unref()
}
