import { present } from '../../../src/shared/narrow.ts'
import { MockError } from '../../errors.ts'
import type { SearchSettings } from '../options.ts'
import type { RankedPlan } from '../plan/enumerate.ts'
import type { Plan } from '../plan/plan.ts'
import type { Finding } from '../report/findings.ts'
import type { CleanResult, Testers, TestResult } from '../tester.ts'
import { type Host, startHost } from './host.ts'
import {
  type HostTask,
  type LoadedOptions,
  type TesterMessage,
  type TesterRequest,
  unpackError,
  unpackFinding,
} from './messages.ts'

/** How long a thread may be silent beyond `runTimeout`, in milliseconds. */
const slack = 2_000

/** A thread that is loading the module may be silent for this multiple of `runTimeout`. */
const loadFactor = 10

interface Job {
  ranked: RankedPlan
  resolve(result: TestResult | Promise<TestResult>): void
}

/** Runs plans concurrently. Each thread has its own copy of the program. */
export class TesterPool implements Testers {
  readonly size: number
  readonly #load: LoadedOptions
  readonly #runTimeout: number
  readonly #jobs: Job[] = []
  #threads: TesterThread[] = []

  constructor(size: number, load: LoadedOptions, runTimeout: number) {
    this.size = size
    this.#load = load
    this.#runTimeout = runTimeout
  }

  /** Starts the threads. Returns the search settings from the module. */
  async load(): Promise<SearchSettings> {
    const create = () => new TesterThread(this.#load, this.#runTimeout)
    this.#threads = Array.from({ length: this.size }, create)
    const [settings] = await Promise.all(this.#threads.map((thread) => thread.start()))
    return present(settings)
  }

  /** Runs the program without faults in each thread, because each thread compares its other runs with that run. */
  async runClean(): Promise<CleanResult> {
    const [clean] = await Promise.all(this.#threads.map((thread) => thread.runClean()))
    return present(clean)
  }

  test(ranked: RankedPlan): Promise<TestResult> {
    return new Promise((resolve) => {
      this.#jobs.push({ ranked, resolve })
      this.#assign()
    })
  }

  stop(): void {
    for (const thread of this.#threads) thread.kill()
    this.#threads = []
  }

  #assign(): void {
    for (const thread of this.#threads) {
      if (thread.isBusy) continue
      const job = this.#jobs.shift()
      if (!job) return
      const testing = thread.test(job.ranked)
      job.resolve(testing)
      void testing.catch(() => {}).then(() => this.#assign())
    }
  }
}

/** Thrown when a thread was terminated because it sent no message in time. */
class BlockedError extends Error {}

class TesterThread {
  readonly #load: LoadedOptions
  readonly #runTimeout: number
  #host: Host | undefined
  #watchdog: ReturnType<typeof setTimeout> | undefined
  #plan: Plan = []
  #resolve = (_: unknown) => {}
  #reject = (_: unknown) => {}
  isBusy = false

  constructor(load: LoadedOptions, runTimeout: number) {
    this.#load = load
    this.#runTimeout = runTimeout
  }

  async start(): Promise<SearchSettings> {
    const host = startHost('worker', {
      // Hosts send only messages of this type.
      onMessage: (message) => this.#receive(message as TesterMessage),
      onEnd: (reason) => {
        const message = `An explore thread ended: ${reason}. If your program exits its process, set isolate.`
        this.#reject(new MockError('invalid_state', message))
      },
    })
    this.#host = host
    const limit = this.#runTimeout * loadFactor
    try {
      return await this.#request<SearchSettings>({ type: 'tester', load: this.#load }, limit)
    } catch (error) {
      if (!(error instanceof BlockedError)) throw error
      throw new MockError(
        'invalid_state',
        `The program's module did not load within ${limit} ms of real time. Look for a top-level await that never settles. If it just loads slowly, increase runTimeout.`,
      )
    }
  }

  async runClean(): Promise<CleanResult> {
    const none = { runs: 1, singles: [], nondeterminism: [] }
    return this.#judge<CleanResult>({ type: 'clean' }, none)
  }

  async test(ranked: RankedPlan): Promise<TestResult> {
    this.isBusy = true
    try {
      if (!this.#host) {
        await this.start()
        await this.runClean()
      }
      const failed = { runs: 1, reached: ranked.plan, hasFailed: true, pairs: [] }
      return await this.#judge<TestResult>({ type: 'test', ranked }, failed)
    } finally {
      this.isBusy = false
    }
  }

  kill(): void {
    clearTimeout(this.#watchdog)
    void this.#host?.kill()
    this.#host = undefined
  }

  /** @param blocked The result if the thread blocks. */
  async #judge<Result extends { finding?: Finding | undefined }>(
    request: TesterRequest,
    blocked: Result,
  ): Promise<Result> {
    try {
      return unpackFinding(await this.#request<Result>(request))
    } catch (error) {
      if (!(error instanceof BlockedError)) throw error
      const message = `Your program blocks its thread: ${error.message}. Look for a loop that awaits neither the service nor the clock.`
      const plan = this.#plan
      return {
        ...blocked,
        finding: { violation: 'endless', line: undefined, message, plan, timeline: [] },
      }
    }
  }

  #request<Result>(request: TesterRequest | HostTask, limit?: number): Promise<Result> {
    const result = new Promise<Result>((resolve, reject) => {
      // The thread sends the result that matches the request.
      this.#resolve = (value) => resolve(value as Result)
      this.#reject = reject
    })
    this.#watch(limit)
    this.#host?.post(request)
    return result.finally(() => clearTimeout(this.#watchdog))
  }

  #receive(message: TesterMessage): void {
    this.#watch()
    if (message.type === 'run') this.#plan = message.plan
    else if (message.type === 'result') this.#resolve(message.result)
    else if (message.type === 'error') this.#reject(unpackError(message.error))
  }

  /**
   * Terminates the thread if it stays silent. After loading, a thread that is not blocked sends several messages per
   * second.
   */
  #watch(limit = this.#runTimeout + slack): void {
    clearTimeout(this.#watchdog)
    if (!this.#host) return
    this.#watchdog = setTimeout(() => {
      this.kill()
      this.#reject(
        new BlockedError(`it did not return to the event loop for ${limit} ms of real time`),
      )
    }, limit)
  }
}
