import type { Clock } from '../client/clock.ts'
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
  save(progress?: string): Promise<boolean> {
    const { id, holder: token } = this.write
    const heldUntil = this.#clock.now() + this.#holdFor
    return this.#store.save(id, { token, heldUntil, progress })
  }

  /** Stops extending the hold. */
  stop(): void {
    this.#isStopped = true
    this.#stopTimer()
  }

  #schedule(): void {
    this.#stopTimer = this.#clock.startTimer(this.#holdFor / extensions, () => void this.#extend())
  }

  /** A failure proves nothing; every change to the write checks the hold itself. */
  async #extend(): Promise<void> {
    await this.save().catch(() => {})
    if (!this.#isStopped) this.#schedule()
  }
}
