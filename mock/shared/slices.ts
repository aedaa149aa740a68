import { nextTurn } from '../../src/shared/next-turn.ts'

/** The work per slice, in microseconds. */
export const sliceWork = 10_000

export function runAtOnce<T>(task: Iterator<unknown, T>): T {
  for (let step = task.next(); ; step = task.next()) if (step.done) return step.value
}

/**
 * Resolves when the latest pause ends. Pauses are chained, so each turn of the event loop runs only one slice,
 * regardless of the number of tasks.
 */
let lastPause: Promise<void> = Promise.resolve()

/** Divides a long task into slices and lets other tasks run between them. */
// Work is counted, not timed, so that equal tasks have equal slices on every machine. A task shorter than a slice is not
// interrupted.
export class Slices {
  readonly #signals: readonly (AbortSignal | undefined)[]
  #left = sliceWork

  /** @param signals Signals that end the task at the next pause. */
  constructor(...signals: (AbortSignal | undefined)[]) {
    this.#signals = signals
  }

  /**
   * Counts work that has been done or is about to start. Returns the pause to await if the slice is over, and undefined
   * otherwise.
   *
   * @param work The estimated time in microseconds.
   */
  spend(work: number): Promise<void> | undefined {
    this.#left -= work
    return this.#left > 0 ? undefined : this.#pause()
  }

  /** Runs a task whose steps each take about `stepWork` microseconds, and returns its result. */
  async run<T>(task: Iterator<unknown, T>, stepWork: number): Promise<T> {
    for (let step = task.next(); ; step = task.next()) {
      if (step.done) return step.value
      const pause = this.spend(stepWork)
      if (pause) await pause
    }
  }

  /** Throws the reason of the first aborted signal, if any. */
  check(): void {
    for (const signal of this.#signals) signal?.throwIfAborted()
  }

  async #pause(): Promise<void> {
    this.#left = sliceWork
    lastPause = lastPause.then(nextTurn)
    await lastPause
    this.check()
  }
}
