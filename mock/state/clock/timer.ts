/** A timer that runs in virtual time, and maybe also in real time. The first to end stops the other. */
export class Timer {
  readonly #onEnd: () => void
  #stops: (() => void)[] = []
  /** Whether the timer has ended or was stopped. */
  isOver = false

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
  }

  /** Adds a way to end. */
  start(run: () => () => void): void {
    this.#stops.push(run())
  }

  readonly stop = () => {
    this.isOver = true
    for (const stop of this.#stops) stop()
  }

  readonly end = () => {
    this.stop()
    this.#onEnd()
  }
}

/** Starts a timer in real time. Returns the function that stops it. */
export function startPlatformTimer(milliseconds: number, onEnd: () => void): () => void {
  const id = setTimeout(onEnd, milliseconds)
  return () => clearTimeout(id)
}
