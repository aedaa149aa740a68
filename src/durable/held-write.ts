import type { Clock } from '../client/clock.ts'
import { observe } from '../client/observe.ts'
import type { StoredWrite, WriteStore } from '../stores/write-store.ts'

/** How many times the hold is extended within `holdFor`. */
const extensions = 3

/** Extends a write's hold at regular intervals until `stop` is called. */
export class HeldWrite {
  /** The write as stored when the hold began. */
  readonly write: StoredWrite
  readonly #store: WriteStore
  readonly #clock: Clock
  readonly #holdFor: number
  /** When the latest hold sent to the store expires, even if that store call failed. */
  #heldUntil: number
  #isSaving = false
  #stopTimer = () => {}
  #isStopped = false

  constructor(write: StoredWrite, tools: { store: WriteStore; clock: Clock; holdFor: number }) {
    this.write = write
    this.#store = tools.store
    this.#clock = tools.clock
    this.#holdFor = tools.holdFor
    this.#heldUntil = write.heldUntil
    this.#schedule()
  }

  /** Whether this run started the attempt. If false, the run continues an earlier run's attempt. */
  get isFirst(): boolean {
    return this.write.attempt === this.write.holder
  }

  /** Saves progress and extends the hold. Resolves to false if another process took over. */
  async save(progress: string): Promise<boolean> {
    this.#isSaving = true
    try {
      return await this.#hold(progress)
    } finally {
      this.#isSaving = false
    }
  }

  stop(): void {
    this.#isStopped = true
    this.#stopTimer()
  }

  /** Schedules the next extension. Ignores errors from the clock, because a hold that is not extended expires. */
  #schedule(): void {
    observe(() => {
      const delay = this.#holdFor / extensions
      this.#stopTimer = this.#clock.startTimer(delay, () => void this.#extend())
    })
  }

  /** Ignores failures, because the run's later store calls detect a takeover. */
  async #extend(): Promise<void> {
    // If an extension overtook a save, the store would ignore the save, because the save's hold ends earlier.
    if (!this.#isSaving) await this.#hold().catch(() => {})
    if (!this.#isStopped) this.#schedule()
  }

  /** Makes each hold end later than the previous one, so the store ignores an earlier call that arrives late. */
  async #hold(progress?: string): Promise<boolean> {
    const { id, holder: token } = this.write
    this.#heldUntil = Math.max(this.#clock.now() + this.#holdFor, this.#heldUntil + 1)
    return this.#store.save(id, { token, heldUntil: this.#heldUntil, progress })
  }
}
