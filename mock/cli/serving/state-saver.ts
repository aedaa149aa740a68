import { messageOf } from '../../errors.ts'

/** The delay between a change and its save, in milliseconds. */
const delay = 300

/** The delay before a failed save is retried, in milliseconds. */
const retryDelay = 5000

/** The minimum pause before the next scheduled capture, as a multiple of the last capture's duration. */
const idleShare = 10

/** Saves the state shortly after a change, one save at a time. */
export class StateSaver {
  readonly #capture: (save: { isFinal: boolean }) => Promise<string>
  readonly #write: (state: string) => Promise<void>
  readonly #report: (message: string) => void
  #timer: NodeJS.Timeout | undefined
  #retry: NodeJS.Timeout | undefined
  #saving: Promise<unknown> = Promise.resolve()
  /** When the next capture may start, as a value of `performance.now()`. */
  #idleUntil = 0
  #isFirst = true
  #reported: string | undefined
  #isFinal = false

  constructor(
    capture: (save: { isFinal: boolean }) => Promise<string>,
    write: (state: string) => Promise<void>,
    report: (message: string) => void,
  ) {
    this.#capture = capture
    this.#write = write
    this.#report = report
  }

  /** Schedules a save, unless one is already scheduled. */
  changed(): void {
    const after = Math.max(delay, this.#idleUntil - performance.now())
    this.#timer ??= setTimeout(() => void this.#runPlanned(), after).unref()
  }

  /** Saves the state after any save in progress. Rejects if the new save fails. */
  now(): Promise<void> {
    const saved = this.#saving.then(() => this.#save())
    this.#saving = saved.catch(() => {})
    return saved
  }

  async close(): Promise<boolean> {
    clearTimeout(this.#timer)
    clearTimeout(this.#retry)
    this.#isFinal = true
    try {
      await this.now()
      return true
    } catch (error) {
      this.#report(
        `The state was not saved: ${messageOf(error)}. Changes since the last save are lost.`,
      )
      return false
    }
  }

  async #runPlanned(): Promise<void> {
    this.#timer = undefined
    clearTimeout(this.#retry)
    try {
      await this.now()
      this.#reported = undefined
    } catch (error) {
      this.#reportOnce(
        `The state was not saved: ${messageOf(error)}. The mock retries after the next change, or in ${retryDelay / 1000} s.`,
      )
      this.#retry = setTimeout(() => this.changed(), retryDelay).unref()
    }
  }

  #reportOnce(message: string): void {
    if (message !== this.#reported) this.#report(message)
    this.#reported = message
  }

  async #save(): Promise<void> {
    const start = performance.now()
    const state = await this.#capture({ isFinal: this.#isFinal })
    const end = performance.now()
    // The first capture says little about the next one, because its code is not compiled yet.
    if (!this.#isFirst) this.#idleUntil = end + idleShare * (end - start)
    this.#isFirst = false
    await this.#write(state)
  }
}
