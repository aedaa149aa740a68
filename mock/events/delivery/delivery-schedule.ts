import { PriorityQueue } from '../../shared/priority-queue.ts'
import { latestMoment, spanOf } from '../../state/clock/time.ts'
import { undeliveredLimit } from '../../state/defaults.ts'
import { AttemptQueue, nextAttempt, type PlannedAttempt } from './attempt-queue.ts'
import { type DeliveryModes, shuffle } from './delivery-modes.ts'
import type { DeliveryPort } from './delivery-port.ts'
import { UnreadCount } from './endpoint-health.ts'

/** Which events a receiver gets, and how. */
interface Subscription {
  modes: DeliveryModes
  matches: (type: string) => boolean
}

/** When a receiver gets which event: first attempts are read from the outbox, retries are queued. */
export class DeliverySchedule {
  readonly #id: string
  readonly #team: DeliveryPort
  #queue = new AttemptQueue()
  /** The number of the next event to read. */
  #next: number
  readonly #unread: UnreadCount
  /** Moments with a due event that wakes the receiver. */
  readonly #wakeUps = new Set<number>()
  /** The same moments in order. */
  readonly #nextWakeUps = new PriorityQueue<number>()

  constructor(id: string, team: DeliveryPort) {
    this.#id = id
    this.#team = team
    this.#next = team.outbox.count + 1
    this.#unread = new UnreadCount(team.outbox)
  }

  /** The number of the next event to read. */
  get next(): number {
    return this.#next
  }

  /** Returns the planned attempts, earliest first. */
  planned(): readonly PlannedAttempt[] {
    return this.#queue.list()
  }

  /** The number of planned attempts. */
  get size(): number {
    return this.#queue.size
  }

  /** The number of the first event in the outbox that is still to be delivered. */
  get firstNeeded(): number {
    return Math.min(this.#next, this.#queue.firstNeeded)
  }

  /** Counts the events that are still to be read. */
  countUnread(matches: (type: string) => boolean): number {
    return this.#unread.from(this.#next, matches)
  }

  /** Plans an attempt. */
  plan(attempt: PlannedAttempt): void {
    this.#queue.add(attempt)
    if (attempt.at > this.#team.clock.moment) this.#wakeAt(attempt.at)
  }

  /** Plans the retry of a failed attempt; false after the last one, or if too many are planned. */
  retry(failed: PlannedAttempt, failedAt: number): boolean {
    const next = nextAttempt(failed, failedAt)
    if (!next || this.#queue.size >= undeliveredLimit) return false
    this.plan(next)
    return true
  }

  /** Takes the due attempts, at most as many as may run concurrently. */
  takeDue(subscription: Subscription): PlannedAttempt[] {
    const now = this.#team.clock.moment
    const taken: PlannedAttempt[] = []
    while (taken.length < subscription.modes.concurrency) {
      const attempt = this.#queue.takeDue(now) ?? this.#readOutbox(now, subscription)
      if (!attempt) break
      taken.push(attempt)
    }
    return taken
  }

  /** Forgets past wake-ups. */
  wakeUp(): void {
    const { moment } = this.#team.clock
    for (;;) {
      const at = this.#nextWakeUps.take(moment)
      if (at === undefined) return
      this.#wakeUps.delete(at)
    }
  }

  /** Removes every attempt and skips the events so far. */
  skip(): void {
    this.stop()
    this.#next = this.#team.outbox.count + 1
  }

  /** Removes every attempt and reads no further event. */
  stop(): void {
    this.#queue.clear()
    this.#next = Number.POSITIVE_INFINITY
    this.#team.clock.cancel('webhook.due', this.#id)
    this.#wakeUps.clear()
    this.#nextWakeUps.clear()
  }

  /** Restores a snapshot's state. */
  restore(next: number, queue: readonly PlannedAttempt[]): void {
    this.#next = next
    this.#unread.reset()
    this.#queue = new AttemptQueue(queue)
  }

  /** Continues after a restore; the clock already has events scheduled for these times. */
  resume(moments: readonly number[]): void {
    for (const at of moments) this.#addWakeUp(at)
    for (const { at } of this.#queue.list()) if (at > this.#team.clock.moment) this.#wakeAt(at)
  }

  /** Plans the first attempts of the next events and takes the first one; undefined if none is due. */
  #readOutbox(now: number, { modes, matches }: Subscription): PlannedAttempt | undefined {
    const { outbox, random } = this.#team
    this.#skipTo(outbox.firstKept)
    const first = this.#next
    const delay = spanOf(modes.delay)
    const attempts: PlannedAttempt[] = []
    for (; this.#next <= outbox.count && attempts.length < modes.reorder; this.#next += 1) {
      const { event_type, at } = outbox.peek(this.#next) ?? { event_type: '', at: now }
      if (!matches(event_type)) continue
      if (at + delay > now) {
        this.#wakeAt(at + delay)
        break
      }
      this.#unread.subtract(this.#next)
      attempts.push(...this.#firstAttempts(this.#next, now, modes))
    }
    const orderRandom = random.fork(`webhook/${this.#id}/reorder/${first}`)
    for (const attempt of shuffle(attempts, modes, orderRandom)) this.plan(attempt)
    return this.#queue.takeDue(now)
  }

  /** Skips events that were dropped; one after the other could take forever. */
  #skipTo(firstKept: number): void {
    if (this.#next >= firstKept) return
    this.#next = firstKept
    this.#unread.reset()
  }

  /** Returns the first attempt of an event, and that of its duplicate. */
  #firstAttempts(number: number, at: number, { duplicates }: DeliveryModes): PlannedAttempt[] {
    const attempt = { number, attempt: 1, at, isDuplicate: false }
    const random = this.#team.random.fork(`webhook/${this.#id}/duplicate/${number}`)
    return random.next() < duplicates ? [attempt, { ...attempt, isDuplicate: true }] : [attempt]
  }

  #wakeAt(at: number): void {
    // Virtual time never gets to a later moment: such an attempt stays planned.
    if (this.#wakeUps.has(at) || at > latestMoment) return
    this.#addWakeUp(at)
    this.#team.clock.schedule({ type: 'webhook.due', subject: this.#id, at })
  }

  #addWakeUp(at: number): void {
    this.#wakeUps.add(at)
    this.#nextWakeUps.add(at, at)
  }
}
