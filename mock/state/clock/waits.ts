import { type Entry, PriorityQueue } from '../../shared/priority-queue.ts'

/** A request that is waiting for virtual time to pass. */
export interface Wait {
  /** Returns whether the wait is over. Called when the subject may have changed. */
  isOver: () => boolean
  /** The latest virtual time at which the wait ends, as a Unix timestamp in milliseconds, or infinity. */
  until: number
  /** The subject to wait for. Undefined if only the passage of time ends the wait. */
  subject: string | undefined
  resolve: () => void
  reject: (reason: unknown) => void
}

interface TrackedWait extends Wait {
  /** Whether a webhook handler may have sent this request. */
  mayBeOfHandler: boolean
  /** The wait's entry in the queue of end times, or undefined if its end time is infinity. */
  end: Entry<TrackedWait> | undefined
}

export class Waits {
  readonly #bySubject = new Map<string | undefined, Set<TrackedWait>>()
  readonly #ends = new PriorityQueue<TrackedWait>()
  #size = 0
  #ofHandlers = 0

  get size(): number {
    return this.#size
  }

  /** The earliest end time of all waits, or infinity. */
  get nextEnd(): number {
    return this.#ends.next
  }

  get mayBeOfHandler(): boolean {
    return this.#ofHandlers > 0
  }

  add(wait: Wait, mayBeOfHandler: boolean): () => void {
    const tracked: TrackedWait = { ...wait, mayBeOfHandler, end: undefined }
    if (Number.isFinite(wait.until)) tracked.end = this.#ends.add(wait.until, tracked)
    const waits = this.#bySubject.get(wait.subject)
    if (waits) waits.add(tracked)
    else this.#bySubject.set(wait.subject, new Set([tracked]))
    this.#size += 1
    if (mayBeOfHandler) this.#ofHandlers += 1
    return () => void this.#remove(tracked)
  }

  release(subject: string): void {
    for (const wait of this.#bySubject.get(subject) ?? []) {
      if (wait.isOver() && this.#remove(wait)) wait.resolve()
    }
  }

  /** Ends the waits whose end time is at or before the given moment. */
  releaseUntil(moment: number): void {
    for (let { first } = this.#ends; first && first.priority <= moment; first = this.#ends.first) {
      this.#remove(first.value)
      first.value.resolve()
    }
  }

  /** Rejects a subject's waits. Returns whether the subject had any. */
  fail(reason: unknown, subject: string | undefined): boolean {
    const failed = [...(this.#bySubject.get(subject) ?? [])]
    for (const wait of failed) {
      this.#remove(wait)
      wait.reject(reason)
    }
    return failed.length > 0
  }

  failAll(reason: unknown): void {
    for (const subject of [...this.#bySubject.keys()]) this.fail(reason, subject)
  }

  /** Removes a wait. Returns false if it was already removed. */
  #remove(wait: TrackedWait): boolean {
    const waits = this.#bySubject.get(wait.subject)
    if (!waits?.delete(wait)) return false
    if (waits.size === 0) this.#bySubject.delete(wait.subject)
    if (wait.end) this.#ends.remove(wait.end)
    this.#size -= 1
    if (wait.mayBeOfHandler) this.#ofHandlers -= 1
    return true
  }
}
