import { PriorityQueue } from '../../base/lists/priority-queue.ts'
import type { Feed } from '../../life/arrivals/feed.ts'
import { type FeedMoment, nextMoment } from '../../life/arrivals/moments.ts'
import type { LivingUsers } from '../../state/living/living-users.ts'

/** A moment of a feed that is still to come. */
interface QueuedMoment {
  feed: number
  moment: FeedMoment
}

/** What a feed sends at a moment. */
export interface DueMoment {
  feed: Feed
  moment: FeedMoment
}

/** The next moment of each feed of a team, in the order of their time. Filled at the first use. */
export class ArrivalQueue {
  readonly #living: Pick<LivingUsers, 'count' | 'feed'>
  readonly #queue = new PriorityQueue<QueuedMoment>()
  /** The number of feeds in the queue, also of those that have ended. */
  #known = 0

  constructor(living: Pick<LivingUsers, 'count' | 'feed'>) {
    this.#living = living
  }

  /** The number of feeds whose connection was sent, or is queued. */
  get known(): number {
    return this.#known
  }

  /** Restores the first feeds, whose moments until `processed` were sent. */
  restore(known: number, processed: number): void {
    this.#queue.clear()
    for (let feed = 0; feed < known; feed += 1) this.#add(feed, processed)
    this.#known = known
  }

  /** Returns the next moment; infinity without any. */
  next(): number {
    this.#addNewFeeds()
    while (this.#queue.first && this.#hasEnded(this.#queue.first.value)) this.#queue.take()
    return this.#queue.next
  }

  /** Removes what feeds send at the next moment, in their order; empty if nothing is due until `limit`. */
  take(limit: number): DueMoment[] {
    const at = this.next()
    const due: DueMoment[] = []
    for (let next = this.#takeAt(at, limit); next; next = this.#takeAt(at, limit)) {
      const feed = this.#living.feed(next.feed)
      due.push({ feed, moment: next.moment })
      this.#add(next.feed, at)
    }
    return due.sort(compare)
  }

  #takeAt(at: number, limit: number): QueuedMoment | undefined {
    return at <= limit && this.next() === at ? this.#queue.take() : undefined
  }

  #hasEnded({ feed, moment }: QueuedMoment): boolean {
    return moment.at > this.#living.feed(feed).to
  }

  #addNewFeeds(): void {
    for (; this.#known < this.#living.count; this.#known += 1) {
      this.#add(this.#known, Number.NEGATIVE_INFINITY)
    }
  }

  #add(number: number, after: number): void {
    const moment = nextMoment(this.#living.feed(number), after)
    if (moment) this.#queue.add(moment.at, { feed: number, moment })
  }
}

/** A connection is made after the data of its time has arrived. */
function compare(one: DueMoment, other: DueMoment): number {
  const isConnection = ({ moment }: DueMoment) => Number(moment.kind === 'connect')
  return isConnection(one) - isConnection(other) || one.feed.number - other.feed.number
}
