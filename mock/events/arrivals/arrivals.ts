import type { TeamClock } from '../../state/clock/clock.ts'
import type { LivingUsers } from '../../state/living/living-users.ts'
import type { Emission } from '../emission.ts'
import { type EmissionContext, emissionsOfMoment } from './arrival-emissions.ts'
import { ArrivalQueue, type DueMoment } from './arrival-queue.ts'

/** The arrivals in a snapshot. */
export interface ArrivalsSnapshot {
  /** The number of feeds that have begun. */
  feeds: number
  /** The moment until which their events were emitted, milliseconds since 1970. */
  processed: number
}

interface ArrivalsContext extends EmissionContext {
  readonly living: LivingUsers
  readonly clock: Pick<TeamClock, 'moment' | 'schedule' | 'cancel'>
  /** Whether a receiver gets the events as time passes. */
  readonly hasReceivers: boolean
  /** Runs a step whose changes no request caused. */
  withCause<T>(request: undefined, step: () => T): T
}

/** The subject of the due event of arrivals. */
const subject = 'data'

/**
 * Emits the events of data that arrived. Without a receiver nothing happens until an event is read or emitted: then
 * everything until now is emitted, with the time of its arrival.
 */
export class Arrivals {
  readonly #context: ArrivalsContext
  readonly #emit: (emission: Emission, at: number) => void
  readonly #queue: ArrivalQueue
  #processed = Number.NEGATIVE_INFINITY
  #isCatchingUp = false
  #scheduled: number | undefined

  constructor(context: ArrivalsContext, emit: (emission: Emission, at: number) => void) {
    this.#context = context
    this.#emit = emit
    this.#queue = new ArrivalQueue(context.living)
  }

  /** Emits the events of what arrived until now. */
  catchUp(): void {
    const { living, clock } = this.#context
    // Emitting reads the outbox, and every read of it calls this method.
    if (living.count === 0 || this.#isCatchingUp) return
    const { moment } = clock
    if (moment === this.#processed && this.#queue.known === living.count) return
    this.#isCatchingUp = true
    try {
      this.#context.withCause(undefined, () => this.#emitUntil(moment))
      this.#processed = moment
    } finally {
      this.#isCatchingUp = false
    }
    this.schedule()
  }

  /** Schedules the next arrival, if a receiver waits for it. */
  schedule(): void {
    const { living, clock, hasReceivers } = this.#context
    const next = hasReceivers && living.count > 0 ? this.#queue.next() : undefined
    if (next === this.#scheduled) return
    if (this.#scheduled !== undefined) clock.cancel(subject)
    this.#scheduled = undefined
    if (next === undefined || next === Number.POSITIVE_INFINITY) return
    this.#scheduled = next
    clock.schedule({ type: 'data.arrival', subject, at: Math.max(next, clock.moment) })
  }

  /** Emits what is due; called by the due event. */
  receive(): void {
    this.#scheduled = undefined
    this.catchUp()
  }

  /** Returns the state for a snapshot. */
  snapshot(): ArrivalsSnapshot | undefined {
    this.catchUp()
    const { count } = this.#context.living
    return count === 0 ? undefined : { feeds: count, processed: this.#processed }
  }

  /** Restores the state of a snapshot, after the living users and the clock. */
  restore({ feeds, processed }: ArrivalsSnapshot = { feeds: 0, processed: 0 }): void {
    this.#queue.restore(feeds, processed)
    this.#processed = processed
    // The clock has the due events of the snapshot.
    this.#context.clock.cancel(subject)
    this.#scheduled = undefined
    this.schedule()
  }

  #emitUntil(moment: number): void {
    for (let due = this.#queue.take(moment); due.length > 0; due = this.#queue.take(moment)) {
      for (const one of due) this.#emitMoment(one)
    }
  }

  #emitMoment({ feed, moment }: DueMoment): void {
    for (const emission of emissionsOfMoment(feed, moment, this.#context)) {
      this.#emit(emission, moment.at)
    }
  }
}
