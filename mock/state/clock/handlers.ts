/** A webhook handler that runs. */
interface Run {
  /** Whether a test's move of the clock waits for its response. */
  isOfTestMove: boolean
}

interface Storage {
  getStore(): Run | undefined
  run<T>(run: Run, handler: () => T): T
}

let storage: Storage | null | undefined

/** The platform's AsyncLocalStorage; null in platforms without it, such as browsers. */
function storageOf(): Storage | null {
  const { process } = globalThis as { process?: Partial<NodeJS.Process> }
  const hooks = process?.getBuiltinModule?.('node:async_hooks')
  return hooks ? new hooks.AsyncLocalStorage<Run>() : null
}

/** The webhook handlers of a team that run now. */
export class Handlers {
  readonly #running = new Set<Run>()

  /** How many run now. */
  get size(): number {
    return this.#running.size
  }

  /** Runs a handler, and returns its response. */
  async run<T>(isOfTestMove: boolean, handler: () => T | Promise<T>): Promise<T> {
    if (storage === undefined) storage = storageOf()
    const run = { isOfTestMove }
    this.#running.add(run)
    try {
      return await (storage ? storage.run(run, handler) : handler())
    } finally {
      this.#running.delete(run)
    }
  }

  /**
   * Whether the caller runs inside one of the handlers. Without AsyncLocalStorage, every caller counts as inside while a
   * test's move of the clock waits for a handler, because the test waits for that move.
   */
  isInside(): boolean {
    if (!storage) return [...this.#running].some(({ isOfTestMove }) => isOfTestMove)
    const run = storage.getStore()
    return run !== undefined && this.#running.has(run)
  }
}
