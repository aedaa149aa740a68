import type { MockError } from '../../errors.ts'

/** A clock's moves, which run one after the other. */
export class MoveQueue {
  #last: Promise<void> = Promise.resolve()
  /** Errors of due events since the current test move started; undefined outside a test move. */
  #failures: MockError[] | undefined
  /** The number of stops. A test move ends if it began before the latest stop. */
  #epoch = 0

  /** Whether a test move is running. */
  get isTestMoving(): boolean {
    return this.#failures !== undefined
  }

  /** Runs a move after the earlier ones. */
  run(move: () => Promise<void>): Promise<void> {
    const done = this.#last.then(move)
    this.#last = done.catch(() => {})
    return done
  }

  /** Runs a test move, which a stop ends early. Rejects with the first error passed to {@link MoveQueue.addFailure}. */
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

  /** Adds the error of a due event. Returns whether a test move rejects with it. */
  addFailure(failure: MockError): boolean {
    return this.#failures?.push(failure) === 1
  }

  /** Stops the test moves. */
  stop(): void {
    this.#epoch += 1
  }
}
