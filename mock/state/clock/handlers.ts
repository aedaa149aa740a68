/** A running webhook handler. */
interface Run {
  /** Whether a test's clock advance waits for the handler's response. */
  isOfTestMove: boolean
  /** One entry per wait: the handlers of the team that this handler is waiting for. */
  awaited: DueHandlers[]
  /** Called when the handler first waits for its own team's time to pass. */
  onWait: () => void
}

interface Storage {
  getStore(): Run | undefined
  run<T>(run: Run, handler: () => T): T
}

let storage: Storage | null | undefined

/** Creates an AsyncLocalStorage. Returns null on platforms without this class, such as browsers. */
function storageOf(): Storage | null {
  const { process }: { process?: Partial<NodeJS.Process> } = globalThis
  const hooks = process?.getBuiltinModule?.('node:async_hooks')
  return hooks ? new hooks.AsyncLocalStorage<Run>() : null
}

export class DueHandlers {
  readonly #running = new Set<Run>()

  get size(): number {
    return this.#running.size
  }

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

  /**
   * Notes that a request is waiting for the team's time. If a running handler sent the request, calls the handler's
   * `onWait`, but only once per handler.
   */
  noteWait(): void {
    const run = this.#ownRun
    if (!run) return
    run.onWait()
    run.onWait = () => {}
  }

  /** Whether the caller is known to run inside one of these handlers. */
  get isOwn(): boolean {
    return this.#ownRun !== undefined
  }

  get #ownRun(): Run | undefined {
    const run = storage?.getStore()
    return run && this.#running.has(run) ? run : undefined
  }

  /** Runs a wait that can end only after the handlers have responded. */
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
   * Whether the caller runs inside a handler and would deadlock by waiting for it. The handler can be this team's, or
   * another team's if one of this team's handlers is waiting for it. Without AsyncLocalStorage, every caller is treated
   * as inside while a test's clock advance waits for a handler, because the test waits for that advance.
   */
  isInside(): boolean {
    if (!storage) return [...this.#running].some(({ isOfTestMove }) => isOfTestMove)
    const run = storage.getStore()
    return run !== undefined && this.#waitFor(run, new Set())
  }

  /** Whether `run` is one of these handlers or a handler that they wait for, directly or indirectly. */
  #waitFor(run: Run, seen: Set<DueHandlers>): boolean {
    if (seen.has(this)) return false
    seen.add(this)
    return [...this.#running].some(
      (own) => own === run || own.awaited.some((team) => team.#waitFor(run, seen)),
    )
  }
}
