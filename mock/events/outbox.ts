import type { Change } from '../state/collections/collection.ts'
import { undeliveredLimit } from '../state/defaults.ts'
import { teamId } from '../state/identity.ts'
import { AddedData } from './added-data.ts'
import type { EventBody } from './bodies.ts'
import { bodyAt, countOf, type Emission, originOf, typeAt, userAt } from './emission.ts'
import { type EventBatch, EventBatches } from './event-batches.ts'
import { EventIds } from './event-ids.ts'
import type { EmissionPort } from './event-port.ts'
import { type PastFact, PastFacts } from './past-facts.ts'
import { typeMatcher } from './type-pattern.ts'

/** An event in a team's outbox. */
export interface EmittedEvent {
  /** The event number, starting at 1 for each team. */
  readonly number: number
  /** The event's id, which its deliveries send as `webhook-id`. */
  readonly id: string
  /** The event type, such as `daily.data.sleep.created`. */
  readonly event_type: string
  /** The user's id, or undefined for an event without a user. */
  readonly user_id: string | undefined
  /** The virtual time at which the event was emitted. */
  readonly at: Date
  /** The body, as delivered. Each read creates a new object with the same content. */
  readonly body: EventBody
}

interface PeekedEvent {
  /** The event type, such as `daily.data.sleep.created`. */
  event_type: string
  /** The virtual time, as a Unix timestamp in milliseconds. */
  at: number
}

/** An outbox in a snapshot. */
export interface OutboxSnapshot {
  /** The number of events so far, including dropped ones. */
  count: number
  /** The number of the latest cleared event. */
  cleared: number
  /** The stored batches of events. */
  batches: EventBatch[]
  /**
   * The dropped batches with data that a test added, directly or by triggering events. Default: none.
   *
   * @internal
   */
  added?: EventBatch[]
  /**
   * The earlier states of users and providers, from which event bodies are created. Default: none.
   *
   * @internal
   */
  past?: PastFact[]
  /**
   * For each restart at which events may have been lost, the number of events before it. Default: none.
   *
   * @internal
   */
  restarts?: number[]
}

/** Observes the outbox and determines which events to keep. */
interface OutboxObserver {
  /** Called before events are counted, listed or added, to emit all events that are due. */
  beforeAccess(): void
  /** Called after each emission. `eventAt` returns an event by its index in the emission. */
  onEmit(count: number, eventAt: (index: number) => EmittedEvent): void
  /** Returns the number of the first event that a delivery still needs. */
  firstNeeded(): number
}

/** A team's events, in emission order. */
// A large import is stored as a few batches, and each event is created when it is read. A million events therefore need
// little memory.
export class Outbox {
  readonly #team: EmissionPort
  readonly #observer: OutboxObserver
  #batches = new EventBatches()
  #count = 0
  #past = new PastFacts()
  #added = new AddedData()
  #restarts: readonly number[] = []
  /** Events up to this number were cleared. */
  #cleared = 0
  readonly #ids = new EventIds((number) => this.#idOf(number))
  /** The number of dropped batches that a receiver still needed. */
  overflows = 0

  constructor(team: EmissionPort, observer: OutboxObserver) {
    this.#team = team
    this.#observer = observer
  }

  /** The number of events so far, including dropped ones. */
  get count(): number {
    this.#observer.beforeAccess()
    return this.#count
  }

  /** The number of the oldest stored event, or of the next event if none is stored. */
  get firstKept(): number {
    this.#observer.beforeAccess()
    return this.#firstStored
  }

  /**
   * Returns the stored events, oldest first.
   *
   * @param type The event type. `*` matches any string, as in `daily.data.*.created`. Default: all types.
   * @throws {MockError} `invalid_option` if the type is not a string.
   */
  list(type = '*'): EmittedEvent[] {
    return this.listAfter(0, type)
  }

  /**
   * Returns the stored events after an event number, like {@link Outbox.list}.
   *
   * @internal
   */
  listAfter(number: number, type?: string): EmittedEvent[] {
    return [...this.eachAfter(number, type)]
  }

  /**
   * Yields the stored events after an event number, like {@link Outbox.list}.
   *
   * @internal
   */
  *eachAfter(number: number, type = '*'): Generator<EmittedEvent, void> {
    const matches = typeMatcher(type)
    this.#observer.beforeAccess()
    const first = Math.max(this.#firstListed(), number + 1)
    for (const batch of this.#batches.from(first)) {
      for (let index = Math.max(0, first - batch.first); index < batch.count; index += 1) {
        if (matches(typeAt(batch.emission, index))) yield this.#event(batch, index)
      }
    }
  }

  /**
   * Returns the events for the data that a test added for a user, including dropped ones.
   *
   * @internal
   */
  listAddedData(userId: string): EmittedEvent[] {
    return this.#added
      .of(userId)
      .flatMap(({ batch, indexes }) => indexes.map((index) => this.#event(batch, index)))
  }

  /**
   * Returns the ids of all users for whom a test added data.
   *
   * @internal
   */
  usersWithAddedData(): Set<string> {
    return this.#added.userIds()
  }

  /** Returns the latest event with a matching type, as in {@link Outbox.list}, or undefined if there is none. */
  last(type = '*'): EmittedEvent | undefined {
    const matches = typeMatcher(type)
    for (let number = this.count; number >= this.#firstListed(); number -= 1) {
      const event = this.peek(number)
      if (event && matches(event.event_type)) return this.at(number)
    }
    return undefined
  }

  /** Returns the stored event with the given id, or undefined if there is none. */
  find(id: string): EmittedEvent | undefined {
    this.#observer.beforeAccess()
    const number = this.#ids.find(id, this.#firstListed(), this.#count)
    return number === undefined ? undefined : this.at(number)
  }

  /**
   * Counts the events with a matching type, starting from the given event number. For dropped events, `matches` is
   * called with `''`.
   */
  countFrom(number: number, matches: (type: string) => boolean): number {
    return this.#batches.countFrom(number, this.count, matches)
  }

  /** Deletes all events, but still delivers pending ones. Later events continue the numbering. */
  clear(): void {
    this.#cleared = this.count
    this.#prune()
  }

  /**
   * Changes the ids of later events. Otherwise, they could reuse the ids of events that were sent but not saved.
   *
   * @internal
   */
  restart(): void {
    this.#restarts = [...this.#restarts, this.#count]
    this.#ids.clear()
  }

  /** Stores the values that a change replaces, because earlier events' bodies are created from them. */
  handleChange(change: Change): void {
    this.#past.handleChange(change, this.#count)
    this.#past.dropBefore(Math.min(this.#firstStored, this.#added.first))
  }

  /** Adds events. */
  emit(emission: Emission, at: number = this.#team.clock.moment): void {
    const count = countOf(emission)
    if (count === 0) return
    this.#observer.beforeAccess()
    const { deprecatedFields, summaryEvents, eventEnvelope } = this.#team.settings
    const format = { deprecatedFields, summaryEvents, eventEnvelope }
    const batch = { first: this.#count + 1, count, at, ...format, emission }
    this.#batches.push(batch)
    this.#added.add(batch)
    this.#count += count
    this.#prune()
    this.#observer.onEmit(count, (index) => this.#event(batch, index))
  }

  /** Returns the event with the given number, or undefined if it was dropped. */
  at(number: number): EmittedEvent | undefined {
    const batch = this.#batches.find(number)
    return batch && this.#event(batch, number - batch.first)
  }

  /** Returns an event's type and time without creating its body, or undefined if the event was dropped. */
  peek(number: number): PeekedEvent | undefined {
    const batch = this.#batches.find(number)
    return batch && { event_type: typeAt(batch.emission, number - batch.first), at: batch.at }
  }

  /** Returns the state for a snapshot. */
  snapshot(): OutboxSnapshot {
    const past = this.#past.list()
    const added = this.#added.before(this.#firstStored)
    return {
      count: this.#count,
      cleared: this.#cleared,
      batches: this.#batches.list(),
      ...(added.length > 0 ? { added } : {}),
      ...(past.length > 0 ? { past } : {}),
      ...(this.#restarts.length > 0 ? { restarts: [...this.#restarts] } : {}),
    }
  }

  /** Restores a snapshot's state, or empties the outbox if no snapshot is given. */
  restore(snapshot: OutboxSnapshot = emptyOutbox): void {
    const { count, cleared, batches, added = [], past, restarts = [] } = snapshot
    this.#restarts = restarts
    this.#count = count
    this.#cleared = cleared
    this.#batches = new EventBatches(batches)
    this.#added = new AddedData()
    for (const batch of [...added, ...batches]) this.#added.add(batch)
    this.#past = new PastFacts(past)
    this.#ids.clear()
  }

  #event({ first, at, emission, ...format }: EventBatch, index: number): EmittedEvent {
    const { random } = this.#team
    const number = first + index
    // Resolve the source now: neither a later change nor a reset may change the event's content.
    const source = this.#sourceOf(emission, index, number)
    const clientUserId = () =>
      this.#past.clientUserId(this.#team, number, userAt(emission, index) ?? '')
    return {
      number,
      id: this.#idOf(number),
      event_type: typeAt(emission, index),
      user_id: userAt(emission, index),
      at: new Date(at),
      get body() {
        const { deprecatedFields, summaryEvents = 'list', eventEnvelope = 'specification' } = format
        const settings = { deprecatedFields, summaryEvents, eventEnvelope }
        const body = bodyAt(emission, index, { ...source, random, clock: { moment: at }, settings })
        if (eventEnvelope !== 'extended') return body
        return { team_id: teamId({ random }), client_user_id: clientUserId(), ...body }
      },
    }
  }

  /** Returns the state at an event's emission, from which the body is created. */
  #sourceOf(emission: Emission, index: number, number: number) {
    const { data, providers, living } = this.#team
    if (emission.kind === 'event') return { data, providers, living }
    const { slug, ...origin } = originOf(emission, living)
    const userId = userAt(emission, index) ?? ''
    return { ...this.#past.contextAt(this.#team, { number, userId, slug }), ...origin }
  }

  #idOf(number: number): string {
    const restarts = this.#restarts.filter((count) => count < number).length
    const label = restarts === 0 ? `event/${number}` : `event/${number}/${restarts}`
    const random = this.#team.random.fork(label)
    return `msg_${random.uuid().replaceAll('-', '')}`
  }

  get #firstStored(): number {
    return this.#batches.first ?? this.#count + 1
  }

  #firstListed(): number {
    return Math.max(this.#cleared, this.#count - this.#team.settings.outboxLimit) + 1
  }

  /**
   * Drops events that are no longer listed and need no further delivery, and the oldest batches beyond
   * `undeliveredLimit`.
   */
  #prune(): void {
    const firstListed = this.#firstListed()
    if (this.#batches.firstEnd > firstListed) return
    const needed = Math.min(firstListed, this.#observer.firstNeeded())
    while (this.#batches.firstEnd <= needed || this.#batches.length > undeliveredLimit) {
      if (this.#batches.firstEnd > needed) this.overflows += 1
      this.#batches.shift()
    }
  }
}

const emptyOutbox: OutboxSnapshot = { count: 0, cleared: 0, batches: [] }
