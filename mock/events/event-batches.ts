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
  /** The `deprecatedFields` setting when the event was emitted. */
  deprecatedFields: Settings['deprecatedFields']
  /** The `summaryEvents` setting when the event was emitted. Default: `list`. */
  summaryEvents?: Settings['summaryEvents']
  /** The `eventEnvelope` setting when the event was emitted. Default: `specification`. */
  eventEnvelope?: Settings['eventEnvelope']
  /** The emission from which the events are created. */
  emission: Emission
}

/** The batches of an outbox, oldest first. The numbers of their events are consecutive. */
export class EventBatches {
  readonly #batches: Fifo<EventBatch>

  constructor(batches: readonly EventBatch[] = []) {
    this.#batches = new Fifo(batches)
  }

  /** The number of batches. */
  get length(): number {
    return this.#batches.length
  }

  /** The oldest event's number; undefined without batches. */
  get first(): number | undefined {
    return this.#batches.first?.first
  }

  /** The number after the last event of the oldest batch; infinity without batches. */
  get firstEnd(): number {
    return endOf(this.#batches.first)
  }

  /** Adds a batch. */
  push(batch: EventBatch): void {
    this.#batches.push(batch)
  }

  /** Drops the oldest batch, and returns it. */
  shift(): EventBatch | undefined {
    return this.#batches.shift()
  }

  /** Returns the batches. */
  list(): EventBatch[] {
    return this.#batches.list()
  }

  /** Returns the batch of an event; undefined if it was dropped. */
  find(number: number): EventBatch | undefined {
    const batch = this.#batches.at(this.#indexOf(number))
    return batch && number >= batch.first ? batch : undefined
  }

  /** Returns the batches with events from a number on. */
  from(number: number): EventBatch[] {
    return this.#batches.list(this.#indexOf(number))
  }

  /**
   * Counts the events from one number to another, dropped ones included, whose type matches; the type of a dropped one is
   * empty.
   */
  countFrom(number: number, last: number, matches: (type: string) => boolean): number {
    const oldest = this.first ?? last + 1
    const dropped = matches('') ? Math.max(0, oldest - number) : 0
    return this.from(number).reduce((sum, { first, count, emission }) => {
      return sum + countMatching(emission, Math.max(0, number - first), count, matches)
    }, dropped)
  }

  /** Returns the index of the first batch that ends at or after a number. */
  #indexOf(number: number): number {
    const { length } = this.#batches
    return firstIndex(length, (index) => endOf(this.#batches.at(index)) > number)
  }
}

/** Returns the number after the last event of a batch; infinity without a batch. */
function endOf(batch: EventBatch | undefined): number {
  return batch ? batch.first + batch.count : Number.POSITIVE_INFINITY
}
