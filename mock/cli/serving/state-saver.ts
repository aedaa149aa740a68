import { messageOf } from '../../errors.ts'

/** The milliseconds between a change and its save. */
const delay = 300

/** Saving takes at most one part in this many of the time. */
const idleShare = 10

/** Saves the state some time after a change, one save after the other. */
export class StateSaver {
  readonly #save: () => Promise<void>
  readonly #report: (message: string) => void
  #timer: NodeJS.Timeout | undefined
  #saving: Promise<unknown> = Promise.resolve()
  #duration = 0

  /**
   * @param save Saves the state.
   * @param report Reports that a save failed.
   */
  constructor(save: () => Promise<void>, report: (message: string) => void) {
    this.#save = save
    this.#report = report
  }

  /** Plans a save, unless one is planned. */
  changed(): void {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined
        this.#saving = this.#saving.then(() => this.#run('The next change tries again.'))
      },
      Math.max(delay, idleShare * this.#duration),
    )
  }

  /** Saves the state a last time. Returns whether that succeeded. */
  async close(): Promise<boolean> {
    clearTimeout(this.#timer)
    await this.#saving
    return this.#run('The file has the state of an earlier save.')
  }

  /** @param consequence What a failure means, for the log. */
  async #run(consequence: string): Promise<boolean> {
    const start = performance.now()
    try {
      await this.#save()
      return true
    } catch (error) {
      this.#report(`The state was not saved: ${messageOf(error)}. ${consequence}`)
      return false
    } finally {
      this.#duration = performance.now() - start
    }
  }
}
