import { nextTurn } from '../../../src/shared/next-turn.ts'
import { settle } from '../../shared/settle.ts'
import { readableError } from '../hosts/messages.ts'

interface Storage {
  getStore(): Task | undefined
  exit<T>(action: () => T): T
  run<T>(task: Task, action: () => T): T
}

/** A program's running code: its main function or a delivery handler. */
interface Task {
  program: Program
  isMain: boolean
  /** Returns the stack of the call that sent the current request. */
  stack?: () => string | undefined
}

/** The longest platform timer that a run waits for, and how late such a timer may fire, in milliseconds. */
const longestTimer = 50
const timerSlack = 2

/** The maximum total time that a program's timers can delay a run, in milliseconds. Timers can start further timers. */
const longestWait = 200

/** A program that sends no request for this many event loop turns is considered idle. */
export const quietTurns = 10

let storage: Storage | null | undefined

/** Creates the storage for tasks, or returns null on platforms without AsyncLocalStorage, such as browsers. */
function storageOf(): Storage | null {
  const { process }: { process?: Partial<NodeJS.Process> } = globalThis
  const hooks = process?.getBuiltinModule?.('node:async_hooks')
  return hooks ? new hooks.AsyncLocalStorage<Task>() : null
}

/** Returns the task whose code is running, or undefined outside tasks, and on platforms without AsyncLocalStorage. */
export function currentTask(): Task | undefined {
  return storage?.getStore()
}

/** Runs an action, and records the stack of the program's call. */
export function runAt<T>(stack: () => string | undefined, action: () => T): T {
  const task = currentTask()
  return storage && task ? storage.run({ ...task, stack }, action) : action()
}

/** Runs the service's code, whose timers outlive a crash of the program that called it. */
export function runOutside<T>(action: () => T): T {
  return storage ? storage.exit(action) : action()
}

/** The user's program from its start to its end or crash. After a crash, its requests do not reach the service. */
export class Program {
  readonly #controller = new AbortController()
  readonly #rejections: { push(error: unknown): void }
  #crash = () => {}
  readonly crashed = new Promise<'crashed'>((resolve) => {
    this.#crash = () => resolve('crashed')
  })
  #hasEnded = false
  #calls = 0
  #handlers = 0
  #timersEnd = 0
  #timersLimit: number | undefined

  /**
   * Waits until the program's code in another thread or process has sent everything it can. Isolated programs replace
   * this function.
   */
  waitOutside = async (): Promise<void> => {}

  constructor(rejections: { push(error: unknown): void }) {
    this.#rejections = rejections
  }

  /** Aborts when the program crashes. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get isAlive(): boolean {
    return !this.signal.aborted
  }

  /** Whether the main function has ended. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Whether any of the program's requests or waits is in progress. */
  get isBusy(): boolean {
    return this.#calls > 0
  }

  get isInBackground(): boolean {
    return this.#hasEnded && this.#handlers === 0
  }

  /** Waits for the program's short platform timers, for at most `longestWait`. */
  async waitForTimers(): Promise<void> {
    this.#timersLimit ??= performance.now() + longestWait
    const isWaiting = () => performance.now() < Math.min(this.#timersEnd, this.#timersLimit ?? 0)
    while (isWaiting()) await nextTurn()
  }

  /** Makes the run wait for a timer of at most `longestTimer`. Longer waits should use the connection's clock. */
  addTimer(milliseconds: number): void {
    if (milliseconds > longestTimer) return
    this.#timersEnd = Math.max(this.#timersEnd, performance.now() + milliseconds + timerSlack)
  }

  end(): void {
    this.#hasEnded = true
  }

  /** Adds an unhandled rejection. Ignores it after a crash, because no code is left to handle it. */
  addRejection(error: unknown): void {
    if (this.isAlive) this.#rejections.push(readableError(error))
  }

  run<T>(action: () => T, isMain = false): T {
    if (storage === undefined) storage = storageOf()
    return storage ? storage.run({ program: this, isMain }, action) : action()
  }

  async handle<T>(handler: () => Promise<T>): Promise<T> {
    this.#handlers += 1
    try {
      return await this.run(handler)
    } finally {
      this.#handlers -= 1
    }
  }

  /**
   * Waits until the crashed program's delivery handlers finish, because they must not change the context after the
   * restart. Code that awaits neither the service nor the clock cannot be stopped.
   */
  async rest(): Promise<void> {
    await nextTurn()
    await settle(() => this.#handlers === 0, nextTurn)
  }

  /** Stops the program as if its process had been killed. */
  crash(): void {
    this.#controller.abort(new Error('The program of this run has crashed.'))
    this.#crash()
  }

  /** Returns an action's result, unless the program crashes in the meantime. */
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
   * Stops the crashed program's code. Its main function never continues. Delivery handlers fail, so that they release
   * what the process holds in memory, such as message claims.
   */
  async halt(): Promise<never> {
    if (currentTask()?.isMain !== false) return never()
    throw this.signal.reason
  }
}
/** Returns a promise that never settles, like a call in a process that was killed. */
export function never(): Promise<never> {
  return new Promise(() => {})
}
