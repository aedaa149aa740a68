/** Lets a limited number of calls through at a time; the others wait their turn, first come, first served. */
export class Gate {
  readonly #limit: number
  readonly #waiting: (() => void)[] = []
  #inside = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Waits for a place; rejects with `signal`'s reason, and then takes none. */
  async enter(signal?: AbortSignal): Promise<void> {
    if (this.#inside < this.#limit) {
      this.#inside += 1
      return
    }
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1)
        reject(signal?.reason)
      }
      const enter = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      this.#waiting.push(enter)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  /** Gives the place to the one who waits longest. */
  leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#inside -= 1
  }
}
