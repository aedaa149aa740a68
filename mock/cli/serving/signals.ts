/**
 * The milliseconds in which a second signal counts as the first one: in a terminal, Ctrl+C reaches the command twice under
 * `npx`, from the terminal and from npm.
 */
const sameSignal = 500

/** Calls `stop` at the first interrupt or termination. A later one ends the process immediately. */
export function onStopSignal(stop: () => void): void {
  let first: number | undefined
  const handle = (signal: NodeJS.Signals) => {
    const now = performance.now()
    if (first === undefined) {
      first = now
      stop()
    } else if (now - first > sameSignal) {
      process.off('SIGINT', handle).off('SIGTERM', handle)
      process.kill(process.pid, signal)
    }
  }
  process.on('SIGINT', handle).on('SIGTERM', handle)
}
