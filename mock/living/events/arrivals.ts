import { present } from '../../../src/shared/narrow.ts'
import type { Emission } from '../../events/emission.ts'
import { PriorityQueue } from '../../shared/priority-queue.ts'
import { Slices } from '../../shared/slices.ts'
import { latestMoment } from '../../state/clock/time.ts'
import type { SchedulePort } from '../../state/ports.ts'
import type { Feed } from '../arrivals/feed.ts'
import { type FeedMoment, nextMoment } from '../arrivals/moments.ts'
import { hasSlotsAt, prepareSlots } from '../arrivals/slots.ts'
import type { LivingUsers } from '../users/living-users.ts'
import { emissionsOfMoment } from './arrival-emissions.ts'

/** The arrivals in a snapshot. */
export interface ArrivalsSnapshot {
  /** The number of feeds that have started. */
  feeds: number
  /** The time up to which the feeds' events were emitted, as a Unix timestamp in milliseconds. */
  processed: number
}

interface QueuedMoment {
  feed: number
  moment: FeedMoment
}

interface FeedTime {
  feed: Feed
  at: number
}

interface ArrivalTarget {
  hasReceivers(): boolean
  emit(emission: Emission, at: number): void
}

/**
 * The estimated times, in microseconds, to generate a feed's data for one date, and to emit its events for one moment.
 */
const work = { date: 10_000, moment: 500 }

/** The subject of the clock's `data.arrival` event. */
const subject = 'data'

// Without a receiver, arrivals stay pending until an event is read or emitted. At that point, all pending arrivals are
// emitted with their arrival times.
export class Arrivals {
  readonly #team: SchedulePort
  readonly #living: LivingUsers
  readonly #target: ArrivalTarget
  /** Each feed's next moment, in chronological order. */
  readonly #queue = new PriorityQueue<QueuedMoment>()
  /** The moments whose events are being emitted, in order. */
  #due: QueuedMoment[] = []
  /** The number of feeds added to the queue so far. */
  #known = 0
  #processed = Number.NEGATIVE_INFINITY
  #isCatchingUp = false
  /** The number of changes in progress. When a change finishes, pending events are emitted in slices. */
  #changes = 0
  #scheduled: number | undefined

  constructor(team: SchedulePort, living: LivingUsers, target: ArrivalTarget) {
    this.#team = team
    this.#living = living
    this.#target = target
  }

  /** Emits the events for the data that has arrived so far. */
  catchUp(): void {
    const living = this.#living
    const { clock } = this.#team
    if (living.count > 0) this.#catchUpTo(clock.moment)
  }

  async catchUpInSlices(): Promise<void> {
    const living = this.#living
    const { clock } = this.#team
    const slices = new Slices()
    while (living.count > 0 && !this.#isCatchingUp) {
      const next = this.#first(clock.moment)
      if (!next) break
      if (next.moment.kind === 'connect') await prepareAll([this.#lookUp(next)], slices)
      // A read during the pause could have emitted `next`.
      if (next !== this.#first(clock.moment)) continue
      this.#due.shift()
      this.#catchUpWith(() => this.#emit(next))
      if (this.#due.length === 0) this.#processed = Math.max(next.moment.at, this.#processed)
      await slices.spend(work.moment)
    }
    this.#schedule()
  }

  /** Generates the data of new connections, in slices. Returns undefined if there is no such data to generate. */
  prepare(slices = new Slices()): Promise<void> | undefined {
    const { count } = this.#living
    const next = count > 0 ? this.#first(this.#team.clock.moment) : undefined
    if (next?.moment.kind !== 'connect') return undefined
    // Look up the feeds before the first pause: a restore during a pause changes their numbers.
    const due = this.#due.map((queued) => this.#lookUp(queued))
    const unknown = due.filter(({ feed, at }) => !hasSlotsAt(feed, at))
    return unknown.length > 0 ? prepareAll(unknown, slices) : undefined
  }

  #lookUp({ feed, moment }: QueuedMoment): FeedTime {
    return { feed: this.#living.feed(feed), at: moment.at }
  }

  #catchUpTo(moment: number): void {
    // Emitting reads the outbox, and each outbox read calls this method.
    if (this.#isCatchingUp) return
    this.#catchUpWith(() => {
      for (let next = this.#first(moment); next; next = this.#first(moment)) {
        this.#due.shift()
        this.#emit(next)
      }
    })
    this.#processed = moment
    this.#schedule()
  }

  #catchUpWith(emit: () => void): void {
    this.#isCatchingUp = true
    try {
      this.#team.withCause(undefined, emit)
    } finally {
      this.#isCatchingUp = false
    }
  }

  update(): void {
    if (this.#target.hasReceivers() && this.#changes === 0) this.catchUp()
    else this.#schedule()
  }

  /** Runs a change, and then emits the pending events in slices if there are receivers. */
  async runInSlices<T>(change: () => T | Promise<T>): Promise<T> {
    this.#changes += 1
    try {
      return await change()
    } finally {
      this.#changes -= 1
      if (this.#target.hasReceivers()) await this.catchUpInSlices()
    }
  }

  #schedule(): void {
    const living = this.#living
    const { clock } = this.#team
    const isNeeded = this.#target.hasReceivers() && living.count > 0
    const next = isNeeded ? (this.#due[0]?.moment.at ?? this.#next()) : undefined
    if (next === this.#scheduled) return
    if (this.#scheduled !== undefined) clock.cancel('data.arrival', subject)
    this.#scheduled = undefined
    // Nothing arrives after the latest virtual time.
    if (next === undefined || next > latestMoment) return
    this.#scheduled = next
    clock.schedule({ type: 'data.arrival', subject, at: Math.max(next, clock.moment) })
  }

  snapshot(): ArrivalsSnapshot | undefined {
    this.catchUp()
    const { count } = this.#living
    return count === 0 ? undefined : { feeds: count, processed: this.#processed }
  }

  /** Restores the arrivals. Restore the living users and the clock first. */
  restore({ feeds, processed }: ArrivalsSnapshot = { feeds: 0, processed: 0 }): void {
    this.#queue.clear()
    this.#due = []
    for (let feed = 0; feed < feeds; feed += 1) this.#add(feed, processed)
    this.#known = feeds
    this.#processed = processed
    // Restoring the clock also restored the snapshot's due event, so cancel it.
    this.#team.clock.cancel('data.arrival', subject)
    this.#scheduled = undefined
    this.#schedule()
  }

  #emit({ feed, moment }: QueuedMoment): void {
    for (const emission of emissionsOfMoment(
      this.#living.feed(feed),
      moment,
      this.#team.settings,
    )) {
      this.#target.emit(emission, moment.at)
    }
  }

  /**
   * Adds new feeds to the queue and removes ended feeds. Returns the time of the next moment, or infinity if there is
   * none.
   */
  #next(): number {
    const living = this.#living
    for (; this.#known < living.count; this.#known += 1) {
      this.#add(this.#known, Number.NEGATIVE_INFINITY)
    }
    for (let { first } = this.#queue; first; first = this.#queue.first) {
      const { feed, moment } = first.value
      if (moment.at <= living.feed(feed).to) break
      this.#queue.take()
    }
    return this.#queue.next
  }

  #first(limit: number): QueuedMoment | undefined {
    if (this.#due.length === 0) this.#due = this.#takeMoment(limit)
    return this.#due[0]
  }

  /** Removes and returns the moments with the earliest time, or no moments if that time is after `limit`. */
  #takeMoment(limit: number): QueuedMoment[] {
    const at = this.#next()
    const due: QueuedMoment[] = []
    while (at <= limit && this.#next() === at) {
      const next = present(this.#queue.take())
      due.push(next)
      this.#add(next.feed, at)
    }
    // Data that arrives at the moment of a new connection is sent before the connection's events.
    const isConnection = ({ moment }: QueuedMoment) => Number(moment.kind === 'connect')
    return due.sort(
      (one, other) => isConnection(one) - isConnection(other) || one.feed - other.feed,
    )
  }

  #add(feed: number, after: number): void {
    const moment = nextMoment(this.#living.feed(feed), after)
    if (moment) this.#queue.add(moment.at, { feed, moment })
  }
}

async function prepareAll(moments: readonly FeedTime[], slices: Slices): Promise<void> {
  for (const { feed, at } of moments) await slices.run(prepareSlots(feed, at), work.date)
}
