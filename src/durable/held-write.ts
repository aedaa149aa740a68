import type { Clock } from '../client/clock.ts'
import { observe } from '../client/observe.ts'
import type { StoredWrite, WriteStore } from '../stores/write-store.ts'

/** How often a hold is extended while it lasts. */
const extensions = 3

/** A write that this process is working on. Extends its hold until it is stopped. */
export class HeldWrite {
  /** The write when the hold began. */
  readonly write: StoredWrite
  readonly #store: WriteStore
  readonly #clock: Clock
  readonly #holdFor: number
  #stopTimer = () => {}
  #isStopped = false

  constructor(write: StoredWrite, tools: { store: WriteStore; clock: Clock; holdFor: number }) {
    this.write = write
    this.#store = tools.store
    this.#clock = tools.clock
    this.#holdFor = tools.holdFor
    this.#schedule()
  }

  /** Whether this process began the attempt; otherwise it continues the attempt of a process that ended. */
  get isFirst(): boolean {
    return this.write.attempt === this.write.holder
  }

  /** Extends the hold and stores progress. Resolves to false if another process took over. */
  async save(progress?: string): Promise<boolean> {
    const { id, holder: token } = this.write
    const heldUntil = this.#clock.now() + this.#holdFor
    return this.#store.save(id, { token, heldUntil, progress })
  }

  /** Stops extending the hold. */
  stop(): void {
    this.#isStopped = true
    this.#stopTimer()
  }

  /** A hold that cannot be extended ends by itself. */
  #schedule(): void {
    observe(() => {
      const delay = this.#holdFor / extensions
      this.#stopTimer = this.#clock.startTimer(delay, () => void this.#extend())
    })
  }

  /** A failure proves nothing; every change to the write checks the hold itself. */
  async #extend(): Promise<void> {
    await this.save().catch(() => {})
    if (!this.#isStopped) this.#schedule()
  }
}
