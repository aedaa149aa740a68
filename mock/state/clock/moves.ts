import type { MockError } from '../../errors.ts'

/** The moves of a clock, which run one after the other. */
export class MoveQueue {
  #last: Promise<void> = Promise.resolve()
  /** Errors of due events since the start of the test's move; undefined outside one. */
  #failures: MockError[] | undefined
  /** Counts the stops: a test's move that began before the latest one ends. */
  #epoch = 0

  /** Whether a move of a test runs now. */
  get isTestMoving(): boolean {
    return this.#failures !== undefined
  }

  /** Runs a move after the earlier ones. */
  run(move: () => Promise<void>): Promise<void> {
    const done = this.#last.then(move)
    this.#last = done.catch(() => {})
    return done
  }

  /** Runs a move of a test until it is stopped. Rejects with the first error of {@link MoveQueue.addFailure}. */
  runForTest(move: (isCurrent: () => boolean) => Promise<void>): Promise<void> {
    const epoch = this.#epoch
    const isCurrent = () => epoch === this.#epoch
    return this.run(async () => {
      if (!isCurrent()) return
      const failures: MockError[] = []
      this.#failures = failures
      await move(isCurrent).finally(() => {
        this.#failures = undefined
      })
      if (failures[0]) throw failures[0]
    })
  }

  /** Adds the error of a due event. Returns whether a test's move rejects with it. */
  addFailure(failure: MockError): boolean {
    return this.#failures?.push(failure) === 1
  }

  /** Stops the moves of tests. */
  stop(): void {
    this.#epoch += 1
  }
}
