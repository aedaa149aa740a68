import { firstIndex } from '../../base/binary-search.ts'
import type { DueEvent, DueEventType } from './due-event.ts'
import { checkMoment } from './time.ts'

/** A due event, as `clock.pending()` returns it. */
export interface PendingEvent {
  /** The virtual time at which it happens. */
  at: Date
  /** What happens, such as `import.end`. */
  type: DueEventType
  /** The id of the booking, bulk import or webhook. */
  subject: string
}

/** The due events of a clock, in the order of their time, then of their scheduling. */
export class DueQueue {
  #events: DueEvent[] = []

  /** The moment of the next event; infinity without events. */
  get nextMoment(): number {
    return this.#events[0]?.at ?? Number.POSITIVE_INFINITY
  }

  /** Adds an event after those of the same time. */
  add(event: DueEvent): void {
    checkMoment(event.at)
    const events = this.#events
    const index = firstIndex(events.length, (at) => (events[at] as DueEvent).at > event.at)
    events.splice(index, 0, event)
  }

  /** Removes the next event and returns it; undefined if none is due at the moment. */
  takeDue(moment: number): DueEvent | undefined {
    return this.nextMoment <= moment ? this.#events.shift() : undefined
  }

  /** Removes the events of a subject. */
  cancel(subject: string): void {
    this.#events = this.#events.filter((event) => event.subject !== subject)
  }

  /** Returns the events without their causes: numbers of requests mean nothing in a snapshot. */
  list(): DueEvent[] {
    return this.#events.map(({ at, type, subject }) => ({ at, type, subject }))
  }

  /** Replaces every event. */
  replace(events: readonly DueEvent[]): void {
    this.#events = events.map((event) => ({ ...event }))
  }
}
