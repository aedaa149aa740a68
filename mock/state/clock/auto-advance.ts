import { MockError } from '../../errors.ts'
import type { Timeline } from './timeline.ts'
import { runDue, settleTransit } from './transit.ts'

/** The maximum delay of a platform timer, in milliseconds. */
const longestTimer = 2_147_483_647

/**
 * Advances time automatically. In `auto` mode, time jumps ahead while a request is waiting. In `realtime` mode, a
 * platform timer runs the events.
 */
export class AutoAdvance {
  readonly #timeline: Timeline
  readonly #moves: MoveQueue
  #isJumping = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(timeline: Timeline, moves: MoveQueue) {
    this.#timeline = timeline
    this.#moves = moves
  }

  /** Starts a jump or the timer, as the mode requires. */
  update(): void {
    const { mode, moment, nextMoment } = this.#timeline
    if (this.#isJumpNeeded()) void this.#jump()
    clearTimeout(this.#timer)
    if (mode !== 'realtime' || nextMoment === Number.POSITIVE_INFINITY) return
    // The event may already be overdue.
    const delay = Math.min(Math.max(nextMoment - moment, 0), longestTimer)
    this.#timer = setTimeout(() => void this.#runDue(), delay)
    // Unless a request is waiting for time to pass, the timer must not keep the process alive. In browsers, the timer
    // is a number without `unref`.
    const isAwaited = this.#timeline.activity.isWaiting
    if (typeof this.#timer === 'object' && !isAwaited) this.#timer.unref?.()
  }

  async #runDue(): Promise<void> {
    await runDue(this.#timeline)
    this.update()
  }

  #isJumpNeeded(): boolean {
    return this.#timeline.mode === 'auto' && this.#timeline.activity.isWaiting
  }

  async #jump(): Promise<void> {
    if (this.#isJumping) return
    this.#isJumping = true
    const { activity } = this.#timeline
    await this.#moves.run(async () => {
      try {
        await settleTransit(this.#timeline)
        while (this.#isJumpNeeded()) {
          const preparation = this.#timeline.prepareStep()
          if (preparation) await preparation
          if (!this.#isJumpNeeded()) break
          if (!this.#timeline.step()) {
            throw new MockError(
              'defect',
              "Bug in health-lab-sdk: no scheduled event ends a request's wait. Please report it.",
            )
          }
          await settleTransit(this.#timeline)
        }
      } catch (error) {
        activity.waits.failAll(error)
      }
      this.#isJumping = false
    })
  }
}

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

  /** Runs a test's move, which `stop` ends early. Rejects with the first error passed to `addFailure`. */
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
