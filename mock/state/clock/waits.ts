import { type Entry, PriorityQueue } from '../../shared/priority-queue.ts'

/** A request that waits for virtual time to pass. */
export interface Wait {
  /** Returns whether the wait is over; called when something happens to its subject. */
  isOver: () => boolean
  /** Milliseconds since 1970; infinity for a wait without end. */
  until: number
  /** The subject of the due events that the request waits for; undefined for a wait that only time ends. */
  subject: string | undefined
  /** Ends the wait. */
  resolve: () => void
  /** Fails the request. */
  reject: (reason: unknown) => void
}

interface TrackedWait extends Wait {
  /** Whether a webhook handler may wait for this request. */
  mayBeOfHandler: boolean
  /** Its end in the queue; undefined without end. */
  end: Entry<TrackedWait> | undefined
}

/** The requests that wait, by subject and by end. */
export class Waits {
  readonly #bySubject = new Map<string | undefined, Set<TrackedWait>>()
  readonly #ends = new PriorityQueue<TrackedWait>()
  #size = 0
  #ofHandlers = 0

  /** How many requests wait. */
  get size(): number {
    return this.#size
  }

  /** The first moment at which a wait ends; infinity if none has an end. */
  get nextEnd(): number {
    return this.#ends.next
  }

  /** Whether a webhook handler may wait for one of the requests. */
  get mayBeOfHandler(): boolean {
    return this.#ofHandlers > 0
  }

  /** Adds a wait. Returns the function that removes it. */
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

  /** Ends a subject's waits that are over. */
  release(subject: string): void {
    for (const wait of this.#bySubject.get(subject) ?? []) {
      if (wait.isOver() && this.#remove(wait)) wait.resolve()
    }
  }

  /** Ends the waits whose last moment has come. */
  releaseUntil(moment: number): void {
    for (let { first } = this.#ends; first && first.priority <= moment; first = this.#ends.first) {
      this.#remove(first.value)
      first.value.resolve()
    }
  }

  /** Fails the waits for a subject. Returns whether there were any. */
  fail(reason: unknown, subject: string | undefined): boolean {
    const failed = [...(this.#bySubject.get(subject) ?? [])]
    for (const wait of failed) {
      this.#remove(wait)
      wait.reject(reason)
    }
    return failed.length > 0
  }

  /** Fails every wait. */
  failAll(reason: unknown): void {
    for (const subject of [...this.#bySubject.keys()]) this.fail(reason, subject)
  }

  /** Removes a wait. Returns whether it was still there. */
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
