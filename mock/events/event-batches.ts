import { Fifo, firstIndex } from '../shared/lists.ts'
import type { Settings } from '../state/defaults.ts'
import { countMatching, type Emission } from './emission.ts'

/** Events emitted together, with consecutive numbers. */
export interface EventBatch {
  /** The number of the first event. */
  first: number
  /** The number of events. */
  count: number
  /** The virtual time, as a Unix timestamp in milliseconds. */
  at: number
  /** The `deprecatedFields` setting when the events were emitted. */
  deprecatedFields: Settings['deprecatedFields']
  /** The `summaryEvents` setting when the events were emitted. Default: `list`. */
  summaryEvents?: Settings['summaryEvents']
  /** The `eventEnvelope` setting when the events were emitted. Default: `specification`. */
  eventEnvelope?: Settings['eventEnvelope']
  /** The emission from which the events are created. */
  emission: Emission
}

/** An outbox's batches, oldest first. Their event numbers are consecutive. */
export class EventBatches {
  readonly #batches: Fifo<EventBatch>

  constructor(batches: readonly EventBatch[] = []) {
    this.#batches = new Fifo(batches)
  }

  get length(): number {
    return this.#batches.length
  }

  get first(): number | undefined {
    return this.#batches.first?.first
  }

  /** The number of the oldest batch's last event, plus 1, or infinity if there are no batches. */
  get firstEnd(): number {
    return endOf(this.#batches.first)
  }

  push(batch: EventBatch): void {
    this.#batches.push(batch)
  }

  shift(): EventBatch | undefined {
    return this.#batches.shift()
  }

  list(): EventBatch[] {
    return this.#batches.list()
  }

  /** Returns the batch that contains an event, or undefined if the event was dropped. */
  find(number: number): EventBatch | undefined {
    const batch = this.#batches.at(this.#indexOf(number))
    return batch && number >= batch.first ? batch : undefined
  }

  from(number: number): EventBatch[] {
    return this.#batches.list(this.#indexOf(number))
  }

  /**
   * Counts the events with a matching type, from event `number` to event `last`. The type of dropped events is unknown,
   * so `matches` is called with `''`.
   */
  countFrom(number: number, last: number, matches: (type: string) => boolean): number {
    const oldest = this.first ?? last + 1
    const dropped = matches('') ? Math.max(0, oldest - number) : 0
    return this.from(number).reduce((sum, { first, count, emission }) => {
      return sum + countMatching(emission, Math.max(0, number - first), count, matches)
    }, dropped)
  }

  /** Returns the index of the first batch that ends at or after the given event number. */
  #indexOf(number: number): number {
    const { length } = this.#batches
    return firstIndex(length, (index) => endOf(this.#batches.at(index)) > number)
  }
}

/** Returns the number of a batch's last event, plus 1, or infinity if the batch is undefined. */
function endOf(batch: EventBatch | undefined): number {
  return batch ? batch.first + batch.count : Number.POSITIVE_INFINITY
}
