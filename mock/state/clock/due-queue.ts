import { MockError, messageOf } from '../../errors.ts'
import { type Entry, PriorityQueue } from '../../shared/priority-queue.ts'
import { checkMoment } from './time.ts'

export const dueEventTypes = [
  'booking.outcome',
  'booking.pending',
  'booking.timeout',
  'booking.abandoned',
  'import.end',
  'webhook.due',
  'data.arrival',
  'order.progress',
  'appointment.progress',
] as const

/** The type of a scheduled event. */
export type DueEventType = (typeof dueEventTypes)[number]

/** A scheduled event, as stored in snapshots. */
export interface DueEvent {
  /** The virtual time, as a Unix timestamp in milliseconds. */
  at: number
  /** The event type, such as `import.end`. */
  type: DueEventType
  /** The id of the booking, bulk import, webhook, order or appointment, or `data` for arriving health data. */
  subject: string
  /** The number of the request that caused the event. Omitted in snapshots. */
  cause?: number | undefined
}

/** Handles the errors of scheduled events. `isAwaited` is true if a request or clock advance fails with the error. */
export type FailureListener = (failure: MockError, event: DueEvent, isAwaited: boolean) => void

export function failureOf({ type, subject }: DueEvent, cause: unknown): MockError {
  return new MockError(
    'failed_event',
    `The scheduled event ${type} of ${subject} failed and will not run again. Check the records that it needs. The error: ${messageOf(cause)}`,
    { cause },
  )
}

/** A scheduled event, as `clock.pending()` returns it. */
export interface PendingEvent {
  /** The virtual time at which the event runs. */
  at: Date
  /** The event type, such as `import.end`. */
  type: DueEventType
  /** The id of the booking, bulk import, webhook, order or appointment, or `data` for arriving health data. */
  subject: string
}

/** The events of one type, by subject. To save memory, a subject's only event is stored without a set. */
type Subjects = Map<string, Entry<DueEvent> | Set<Entry<DueEvent>>>

/** A clock's scheduled events, ordered by time and then by scheduling order. */
export class DueQueue {
  readonly #queue = new PriorityQueue<DueEvent>()
  readonly #entries = new Map<DueEventType, Subjects>()
  /** Chooses, by index, which of several simultaneous events runs next. Default: the event that was scheduled first. */
  choose: ((tied: readonly DueEvent[]) => number) | undefined

  /** The time of the next event, or infinity if there is none. */
  get nextMoment(): number {
    return this.#queue.next
  }

  get size(): number {
    return this.#queue.size
  }

  peek(): DueEvent | undefined {
    return this.#queue.first?.value
  }

  /** Adds an event. Simultaneous events run in insertion order. */
  add(event: DueEvent): void {
    checkMoment(event.at)
    const entry = this.#queue.add(event.at, event)
    const subjects = this.#subjects(event.type)
    const known = subjects.get(event.subject)
    if (known instanceof Set) known.add(entry)
    else subjects.set(event.subject, known ? new Set([known, entry]) : entry)
  }

  /** Removes and returns the next event, or undefined if none is due at the given moment. */
  takeDue(moment: number): DueEvent | undefined {
    const first = this.#next()
    if (!first || first.priority > moment) return undefined
    this.#queue.remove(first)
    const { type, subject } = first.value
    const subjects = this.#subjects(type)
    const known = subjects.get(subject)
    if (known instanceof Set) known.delete(first)
    if (known === first || (known instanceof Set && known.size === 0)) subjects.delete(subject)
    return first.value
  }

  /** Cancels events of one type only, because subjects of different types can share an id. */
  cancel(type: DueEventType, subject: string): void {
    const subjects = this.#subjects(type)
    const known = subjects.get(subject)
    if (known instanceof Set) for (const entry of known) this.#queue.remove(entry)
    else if (known) this.#queue.remove(known)
    subjects.delete(subject)
  }

  /** Returns the events without their causes, because a snapshot does not contain the requests. */
  list(): DueEvent[] {
    return this.#queue.list().map(({ at, type, subject }) => ({ at, type, subject }))
  }

  replace(events: readonly DueEvent[]): void {
    this.#queue.clear()
    this.#entries.clear()
    for (const event of events) this.add({ ...event })
  }

  #subjects(type: DueEventType): Subjects {
    const known = this.#entries.get(type)
    if (known) return known
    const subjects: Subjects = new Map()
    this.#entries.set(type, subjects)
    return subjects
  }

  #next(): Entry<DueEvent> | undefined {
    const { first } = this.#queue
    if (!first || !this.choose) return first
    const tied = this.#queue.entries().filter(({ priority }) => priority === first.priority)
    const index = tied.length > 1 ? this.choose(tied.map(({ value }) => value)) : 0
    return tied[index] ?? first
  }
}

export function toPending({ at, type, subject }: DueEvent): PendingEvent {
  return { at: new Date(at), type, subject }
}
