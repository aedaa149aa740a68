/**
 * The milliseconds in which a second signal counts as the first one: in a terminal, Ctrl+C reaches the command twice under
 * `npx`, from the terminal and from npm.
 */
const sameSignal = 500

/** The milliseconds between two checks of the parent process. */
const parentInterval = 200

/** Interrupt, termination, and the end of the terminal. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Resolves at the first interrupt or termination, when the terminal is closed, or when `npx` has ended. A later signal ends the process immediately. */
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
 * Calls a function when `npx` has ended. A termination of `npx` reaches only the shell between it and this process, which
 * then ends.
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
