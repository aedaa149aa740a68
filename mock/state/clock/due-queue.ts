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
  /** Returns the index of the next of several events at the same time. Default: the first scheduled one. */
  choose: ((tied: readonly DueEvent[]) => number) | undefined

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
    const first = this.nextMoment
    if (first > moment || first === Number.POSITIVE_INFINITY) return undefined
    const [next] = this.#events.splice(this.choose ? this.#chooseAt(first, this.choose) : 0, 1)
    return next
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

  #chooseAt(moment: number, choose: (tied: readonly DueEvent[]) => number): number {
    const tied = this.#events.filter(({ at }) => at === moment)
    return tied.length > 1 ? choose(tied) : 0
  }
}
