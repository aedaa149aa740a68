import { firstIndex } from '../base/binary-search.ts'
import type { Random } from '../base/random.ts'
import { type Settings, undeliveredLimit } from '../state/defaults.ts'
import type { EventBody } from './bodies.ts'
import type { EventContext } from './chunk.ts'
import { bodyAt, countOf, type Emission, typeAt, userAt } from './emission.ts'
import { typeMatcher } from './type-pattern.ts'

/** An event that was sent to the team. */
export interface EmittedEvent {
  /** 1 for the team's first event. */
  readonly number: number
  /** The `webhook-id` of every delivery of the event. */
  readonly id: string
  /** Such as `daily.data.sleep.created`. */
  readonly event_type: string
  /** Undefined for an event that was triggered without one. */
  readonly user_id: string | undefined
  /** The virtual time of the emission. */
  readonly at: Date
  /** What is delivered; made on each reading, and always the same. */
  readonly body: EventBody
}

/** The type and the time of an event. */
interface PeekedEvent {
  /** Such as `daily.data.sleep.created`. */
  event_type: string
  /** Milliseconds since 1970, virtual time. */
  at: number
}

/** Events that were emitted together, with consecutive numbers. */
interface EventBatch {
  /** The number of the first event. */
  first: number
  count: number
  /** Milliseconds since 1970, virtual time. */
  at: number
  /** The setting at the time of the emission. */
  deprecatedFields: Settings['deprecatedFields']
  /** The setting at the time of the emission. Default: `list`. */
  summaryEvents?: Settings['summaryEvents']
  /** The setting at the time of the emission. Default: `specification`. */
  eventEnvelope?: Settings['eventEnvelope']
  emission: Emission
}

/** An outbox in a snapshot. */
export interface OutboxSnapshot {
  /** How many events were emitted, dropped ones included. */
  count: number
  /** The number of the latest event that was cleared. */
  cleared: number
  /** The batches of events that are kept. */
  batches: EventBatch[]
}

interface OutboxContext extends EventContext {
  settings: Pick<Settings, 'deprecatedFields' | 'summaryEvents' | 'eventEnvelope' | 'outboxLimit'>
}

/** What the outbox reports to, and what it must keep. */
interface OutboxObserver {
  /** Called after each emission; `eventAt` returns an event by its index in it. */
  onEmit(count: number, eventAt: (index: number) => EmittedEvent): void
  /** Returns the number of the first event that is still to be delivered. */
  firstNeeded(): number
}

/**
 * The events of a team, in emission order. Of a large import one batch is kept, and each event is made when it is read,
 * so that a million events need little memory.
 */
export class Outbox {
  readonly #context: OutboxContext
  readonly #observer: OutboxObserver
  #batches: EventBatch[] = []
  #count = 0
  /** Events up to this number were cleared. */
  #cleared = 0

  constructor(context: OutboxContext, observer: OutboxObserver) {
    this.#context = context
    this.#observer = observer
  }

  /** How many events were emitted, dropped ones included. */
  get count(): number {
    return this.#count
  }

  /**
   * Returns the events that are kept, the oldest first.
   *
   * @param type Only events of this type; `*` matches any string, as in `daily.data.*.created`. Default: all.
   * @throws {MockError} `invalid_option` if the type is not a string.
   */
  list(type = '*'): EmittedEvent[] {
    const matches = typeMatcher(type)
    const first = this.#firstListed()
    return this.#batches.flatMap((batch) =>
      Array.from({ length: batch.count }, (_, index) => index)
        .filter((index) => batch.first + index >= first && matches(typeAt(batch.emission, index)))
        .map((index) => this.#event(batch, index)),
    )
  }

  /** Returns the latest event, of all types or of one as in {@link Outbox.list}; undefined without such an event. */
  last(type = '*'): EmittedEvent | undefined {
    return this.list(type).at(-1)
  }

  /** Deletes every event; numbers continue. */
  clear(): void {
    this.#cleared = this.#count
    this.#prune()
  }

  /** Adds events. */
  emit(emission: Emission, at: number = this.#context.clock.moment): void {
    const count = countOf(emission)
    if (count === 0) return
    const { deprecatedFields, summaryEvents, eventEnvelope } = this.#context.settings
    const format = { deprecatedFields, summaryEvents, eventEnvelope }
    const batch = { first: this.#count + 1, count, at, ...format, emission }
    this.#batches.push(batch)
    this.#count += count
    this.#prune()
    this.#observer.onEmit(count, (index) => this.#event(batch, index))
  }

  /** Returns an event by its number; undefined if it was dropped. */
  at(number: number): EmittedEvent | undefined {
    const batch = this.#batchOf(number)
    return batch && this.#event(batch, number - batch.first)
  }

  /** Returns the type and the time of an event without making its body; undefined if it was dropped. */
  peek(number: number): PeekedEvent | undefined {
    const batch = this.#batchOf(number)
    return batch && { event_type: typeAt(batch.emission, number - batch.first), at: batch.at }
  }

  /** Returns the state for a snapshot. */
  snapshot(): OutboxSnapshot {
    return { count: this.#count, cleared: this.#cleared, batches: this.#batches }
  }

  /** Restores the state of a snapshot; without one, an empty outbox. */
  restore({ count, cleared, batches }: OutboxSnapshot = emptyOutbox): void {
    this.#count = count
    this.#cleared = cleared
    this.#batches = [...batches]
  }

  #event(batch: EventBatch, index: number): EmittedEvent {
    const { emission, at, deprecatedFields, summaryEvents = 'list', eventEnvelope } = batch
    const { data, providers, random } = this.#context
    const number = batch.first + index
    return {
      number,
      id: `msg_${random.fork(`event/${number}`).uuid().replaceAll('-', '')}`,
      event_type: typeAt(emission, index),
      user_id: userAt(emission, index),
      at: new Date(at),
      get body() {
        const context = { data, providers, random, clock: { moment: at } }
        const settings = { deprecatedFields, summaryEvents }
        const body = bodyAt(emission, index, { ...context, settings })
        return eventEnvelope === 'extended' ? extendEnvelope(body, random) : body
      },
    }
  }

  #batchOf(number: number): EventBatch | undefined {
    const batches = this.#batches
    const next = firstIndex(
      batches.length,
      (index) => (batches[index] as EventBatch).first > number,
    )
    const batch = batches[next - 1]
    return batch && number < batch.first + batch.count ? batch : undefined
  }

  #firstListed(): number {
    return Math.max(this.#cleared, this.#count - this.#context.settings.outboxLimit) + 1
  }

  /** Drops events that are neither listed nor still to be delivered, and the oldest beyond the limit for slow receivers. */
  #prune(): void {
    const firstListed = this.#firstListed()
    const endOf = ({ first, count }: EventBatch) => first + count
    const [oldest] = this.#batches
    if (!oldest || endOf(oldest) > firstListed) return
    const needed = Math.min(firstListed, this.#observer.firstNeeded())
    const kept = this.#batches.findIndex((batch) => endOf(batch) > needed)
    const excess = this.#batches.length - undeliveredLimit
    this.#batches.splice(0, Math.max(excess, kept === -1 ? this.#batches.length : kept))
  }
}

/** Adds the fields that the envelope of the specification does not have (assumption). */
function extendEnvelope(body: EventBody, random: Pick<Random, 'fork'>): EventBody {
  return { team_id: random.fork('team_id').uuid(), client_user_id: null, ...body }
}

const emptyOutbox: OutboxSnapshot = { count: 0, cleared: 0, batches: [] }
