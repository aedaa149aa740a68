import type { Outbox } from '../outbox.ts'

/** Counts the events that a receiver has not read. The count is kept, because a page reads it every second. */
export class UnreadCount {
  readonly #outbox: Pick<Outbox, 'count' | 'overflows' | 'countFrom'>
  #matches: ((type: string) => boolean) | undefined
  /** The number of the first event that was not counted. */
  #end = 0
  #count = 0
  #overflows = 0

  constructor(outbox: Pick<Outbox, 'count' | 'overflows' | 'countFrom'>) {
    this.#outbox = outbox
  }

  /** Counts the matching events from a number on. */
  from(next: number, matches: (type: string) => boolean): number {
    const { count, overflows } = this.#outbox
    const isKept = this.#matches === matches && this.#overflows === overflows && next <= this.#end
    if (!isKept) this.#count = 0
    this.#count += this.#outbox.countFrom(isKept ? this.#end : next, matches)
    this.#matches = matches
    this.#overflows = overflows
    this.#end = count + 1
    return this.#count
  }

  /** Subtracts a matching event that was read. */
  subtract(number: number): void {
    if (number < this.#end) this.#count -= 1
  }

  /** Forgets the count, because other events are next. */
  reset(): void {
    this.#matches = undefined
  }
}
