import type { MockError } from '../../errors.ts'

/** A queue of clock moves, which run one at a time. */
export class MoveQueue {
  #last: Promise<void> = Promise.resolve()
  /** The errors of scheduled events since the current test move started, or undefined outside a test move. */
  #failures: MockError[] | undefined
  /** The number of stops. Each stop ends the test moves that started before it. */
  #epoch = 0

  get isTestMoving(): boolean {
    return this.#failures !== undefined
  }

  run(move: () => Promise<void>): Promise<void> {
    const done = this.#last.then(move)
    this.#last = done.catch(() => {})
    return done
  }

  /** Runs a test's move. A stop ends it early. Rejects with the first error passed to {@link MoveQueue.addFailure}. */
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

  /** Adds an error to the current test move. Returns whether the move rejects with this error. */
  addFailure(failure: MockError): boolean {
    return this.#failures?.push(failure) === 1
  }

  stop(): void {
    this.#epoch += 1
  }
}
