type Listener = (error: unknown, promise: Promise<unknown>) => void

/** The watches of the runs in progress. */
const watches = new Set<unknown[]>()

/** The listeners of the test runner, while runs are in progress. */
let others: Listener[] = []

/**
 * Collects errors of promises without a handler until it is stopped. The test runner does not see them meanwhile: they
 * belong to a run, which reports them with its faults.
 */
export function watchRejections(): { errors: () => unknown[]; stop: () => void } {
  const errors: unknown[] = []
  if (watches.size === 0) replaceListeners()
  watches.add(errors)
  const stop = () => {
    watches.delete(errors)
    if (watches.size === 0) restoreListeners()
  }
  return { errors: () => [...errors], stop }
}

/** The process; undefined in browsers. */
const { process } = globalThis as { process?: NodeJS.Process }

function replaceListeners(): void {
  others = process?.listeners?.('unhandledRejection') ?? []
  for (const other of others) process?.off('unhandledRejection', other)
  process?.on('unhandledRejection', collect)
}

function restoreListeners(): void {
  process?.off('unhandledRejection', collect)
  for (const other of others) process?.on('unhandledRejection', other)
  others = []
}

/** The rejection belongs to the only run, or to all of them: which one, the platform does not tell. */
function collect(error: unknown): void {
  for (const errors of watches) errors.push(error)
}
