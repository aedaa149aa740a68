/** A webhook handler that runs. */
interface Run {
  /** Whether a test's move of the clock waits for its response. */
  isOfTestMove: boolean
  /** The handlers of the teams whose time the handler waits for now. */
  awaited: DueHandlers[]
  /** Called when the handler first waits for its own team's time to pass. */
  onWait: () => void
}

interface Storage {
  getStore(): Run | undefined
  run<T>(run: Run, handler: () => T): T
}

let storage: Storage | null | undefined

/** The platform's AsyncLocalStorage; null in platforms without it, such as browsers. */
function storageOf(): Storage | null {
  const { process }: { process?: Partial<NodeJS.Process> } = globalThis
  const hooks = process?.getBuiltinModule?.('node:async_hooks')
  return hooks ? new hooks.AsyncLocalStorage<Run>() : null
}

/** The webhook handlers of a team that run now. */
export class DueHandlers {
  readonly #running = new Set<Run>()

  /** How many run now. */
  get size(): number {
    return this.#running.size
  }

  /** Runs a handler, and returns its response. `onWait` is called when it first waits for the team's time to pass. */
  async run<T>(
    isOfTestMove: boolean,
    handler: () => T | Promise<T>,
    onWait: () => void = () => {},
  ): Promise<T> {
    if (storage === undefined) storage = storageOf()
    const run = { isOfTestMove, awaited: [], onWait }
    this.#running.add(run)
    try {
      return await (storage ? storage.run(run, handler) : handler())
    } finally {
      this.#running.delete(run)
    }
  }

  /** Notes that a request starts to wait for the team's time although a handler runs, maybe the one that sent it. */
  noteWait(): void {
    const run = storage?.getStore()
    if (!run || !this.#running.has(run)) return
    run.onWait()
    run.onWait = () => {}
  }

  /** Runs a wait that ends only after the handlers have responded. */
  async trackWait<T>(wait: () => Promise<T>): Promise<T> {
    const run = storage?.getStore()
    if (!run) return wait()
    run.awaited.push(this)
    try {
      return await wait()
    } finally {
      run.awaited.splice(run.awaited.indexOf(this), 1)
    }
  }

  /**
   * Whether the caller runs inside a handler whose response it would wait for: one of these, or one of another team for
   * which one of these waits. Without AsyncLocalStorage, every caller counts as inside while a test's move of the clock
   * waits for a handler, because the test waits for that move.
   */
  isInside(): boolean {
    if (!storage) return [...this.#running].some(({ isOfTestMove }) => isOfTestMove)
    const run = storage.getStore()
    return run !== undefined && this.#waitFor(run, new Set())
  }

  /** Whether one of the handlers is the run, or waits for a team whose handlers wait for it. */
  #waitFor(run: Run, seen: Set<DueHandlers>): boolean {
    if (seen.has(this)) return false
    seen.add(this)
    return [...this.#running].some(
      (own) => own === run || own.awaited.some((team) => team.#waitFor(run, seen)),
    )
  }
}
