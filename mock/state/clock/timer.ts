/** A timer that runs in virtual time, and possibly also in real time. Whichever ends first stops the other. */
export class Timer {
  readonly #onEnd: () => void
  #stops: (() => void)[] = []
  /** Whether the timer has ended or was stopped. */
  isOver = false

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
  }

  /** `run` starts the timer, in virtual or real time, and returns a function that stops it. */
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

export function startPlatformTimer(milliseconds: number, onEnd: () => void): () => void {
  const id = setTimeout(onEnd, milliseconds)
  return () => clearTimeout(id)
}
