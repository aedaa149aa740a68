import { nextTurn, settle } from '../../shared/settle.ts'

interface Storage {
  getStore(): Task | undefined
  exit<T>(action: () => T): T
  run<T>(task: Task, action: () => T): T
}

/** Running code of a program: its main function, or the handler of a delivery. */
interface Task {
  program: Program
  /** Whether it is the main function. */
  isMain: boolean
  /** Where it sends the request that is being handled. */
  stack?: () => string | undefined
}

/** The milliseconds of the longest timer of the platform that a run waits for, and how late timers are at most. */
const longestTimer = 50
const timerSlack = 2

/** The milliseconds that a run waits for timers that start each other. */
const longestWait = 200

let storage: Storage | null | undefined

/** The platform's AsyncLocalStorage; null on platforms without it, such as browsers. */
function storageOf(): Storage | null {
  const { process }: { process?: Partial<NodeJS.Process> } = globalThis
  const hooks = process?.getBuiltinModule?.('node:async_hooks')
  return hooks ? new hooks.AsyncLocalStorage<Task>() : null
}

/** Returns the task whose code runs now; undefined outside any, and on platforms without AsyncLocalStorage. */
export function currentTask(): Task | undefined {
  return storage?.getStore()
}

/** Runs code that sends a request, with the place in the program. */
export function runAt<T>(stack: () => string | undefined, action: () => T): T {
  const task = currentTask()
  return storage && task ? storage.run({ ...task, stack }, action) : action()
}

/** Runs code of the service, whose timers outlive a crash of the program that called it. */
export function runOutside<T>(action: () => T): T {
  return storage ? storage.exit(action) : action()
}

/** The user's program from its start to its end or crash. After a crash, none of its requests reaches the service. */
export class Program {
  readonly #controller = new AbortController()
  readonly #rejections: unknown[]
  #crash = () => {}
  /** Resolves when the program crashes. */
  readonly crashed = new Promise<'crashed'>((resolve) => {
    this.#crash = () => resolve('crashed')
  })
  #hasEnded = false
  #calls = 0
  #handlers = 0
  #timersEnd = 0
  #timersLimit: number | undefined

  /** Waits until code of the program in another thread has sent what it can send; replaced for such a program. */
  waitOutside = async (): Promise<void> => {}

  /** @param rejections Where the rejections of the run are collected. */
  constructor(rejections: unknown[]) {
    this.#rejections = rejections
  }

  /** Aborts when the program crashes. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Whether the program has not crashed. */
  get isAlive(): boolean {
    return !this.signal.aborted
  }

  /** Whether its main function has ended. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Whether a request or a wait of the program is in progress. */
  get isBusy(): boolean {
    return this.#calls > 0
  }

  /** Whether its main function has ended, and no handler of a delivery runs. */
  get isInBackground(): boolean {
    return this.#hasEnded && this.#handlers === 0
  }

  /** Resolves when the platform's short timers that the program started have ended. */
  async waitForTimers(): Promise<void> {
    this.#timersLimit ??= performance.now() + longestWait
    const isWaiting = () => performance.now() < Math.min(this.#timersEnd, this.#timersLimit ?? 0)
    while (isWaiting()) await nextTurn()
  }

  /** Adds a timer of the platform. Nothing waits for long ones, because programs should use the clock of the connection. */
  addTimer(milliseconds: number): void {
    if (milliseconds > longestTimer) return
    this.#timersEnd = Math.max(this.#timersEnd, performance.now() + milliseconds + timerSlack)
  }

  /** Ends the main function. */
  end(): void {
    this.#hasEnded = true
  }

  /** Adds a rejection without a handler; after a crash there is no one to handle it. */
  addRejection(error: unknown): void {
    if (this.isAlive) this.#rejections.push(error)
  }

  /** Runs code of the program. */
  run<T>(action: () => T, isMain = false): T {
    if (storage === undefined) storage = storageOf()
    return storage ? storage.run({ program: this, isMain }, action) : action()
  }

  /** Runs a handler of a delivery. */
  async handle<T>(handler: () => Promise<T>): Promise<T> {
    this.#handlers += 1
    try {
      return await this.run(handler)
    } finally {
      this.#handlers -= 1
    }
  }

  /**
   * Waits until the handlers of the crashed program end, because they must not change the context after the restart. Code
   * that awaits neither the service nor its clock cannot be stopped.
   */
  async rest(): Promise<void> {
    await nextTurn()
    await settle(() => this.#handlers === 0, nextTurn)
  }

  /** Ends the program like the end of its process. */
  crash(): void {
    this.#controller.abort(new Error('The program of this run has crashed.'))
    this.#crash()
  }

  /** Returns the result of an action, unless the program crashes meanwhile. */
  async guard<T>(action: () => Promise<T>): Promise<T> {
    if (!this.isAlive) return this.halt()
    this.#calls += 1
    try {
      const result = await action().finally(() => {
        this.#calls -= 1
      })
      return this.isAlive ? result : await this.halt()
    } catch (error) {
      if (!this.isAlive) return this.halt()
      throw error
    }
  }

  /**
   * Ends what the crashed program does: its main function never continues. Handlers of deliveries fail, so that they release
   * what the process keeps in memory, such as claims of messages.
   */
  async halt(): Promise<never> {
    if (currentTask()?.isMain !== false) return never()
    throw this.signal.reason
  }
}
/** Returns a promise that never settles, like a call of a process that has ended. */
export function never(): Promise<never> {
  return new Promise(() => {})
}
