/** An index from event ids to event numbers. It is filled only when an id is looked up. */
export class EventIds {
  readonly #idOf: (number: number) => string
  readonly #numbers = new Map<string, number>()
  /** Events up to this number are in the index. */
  #indexed = 0

  constructor(idOf: (number: number) => string) {
    this.#idOf = idOf
  }

  /**
   * Returns the number of the event with the given id among events `first` to `last`, or undefined if none has the id.
   */
  find(id: string, first: number, last: number): number | undefined {
    // Once most indexed events are no longer listed, build the index again without them.
    if (this.#numbers.size > 2 * (last - first + 1)) this.clear()
    for (let number = Math.max(first, this.#indexed + 1); number <= last; number += 1) {
      this.#numbers.set(this.#idOf(number), number)
    }
    this.#indexed = last
    const number = this.#numbers.get(id)
    return number === undefined || number < first ? undefined : number
  }

  clear(): void {
    this.#numbers.clear()
    this.#indexed = 0
  }
}
