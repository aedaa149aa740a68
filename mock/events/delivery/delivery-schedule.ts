import { PriorityQueue } from '../../shared/priority-queue.ts'
import { latestMoment, spanOf } from '../../state/clock/time.ts'
import { retryDelays, undeliveredLimit } from '../../state/defaults.ts'
import { AttemptQueue, type PlannedAttempt } from './attempt-queue.ts'
import type { DeadLetter } from './deliveries.ts'
import { type DeliveryModes, shuffle } from './delivery-modes.ts'
import type { DeliveryPort } from './delivery-port.ts'
import { UnreadCount } from './endpoint-health.ts'

interface Subscription {
  modes: DeliveryModes
  matches: (type: string) => boolean
}

/** Schedules a receiver's delivery attempts. Events are read from the outbox when due, and retries are queued. */
export class DeliverySchedule {
  readonly #id: string
  readonly #team: DeliveryPort
  #queue = new AttemptQueue()
  #next: number
  readonly #unread: UnreadCount
  /** The times at which the clock wakes the receiver. */
  readonly #wakeUps = new Set<number>()
  readonly #nextWakeUps = new PriorityQueue<number>()

  constructor(id: string, team: DeliveryPort) {
    this.#id = id
    this.#team = team
    this.#next = team.outbox.count + 1
    this.#unread = new UnreadCount(team.outbox)
  }

  get next(): number {
    return this.#next
  }

  /** Whether deliveries were stopped because the webhook was removed. */
  get isStopped(): boolean {
    return this.#next === Number.POSITIVE_INFINITY
  }

  /** Returns the planned attempts, earliest first. */
  planned(): readonly PlannedAttempt[] {
    return this.#queue.list()
  }

  get size(): number {
    return this.#queue.size
  }

  get firstNeeded(): number {
    return Math.min(this.#next, this.#queue.firstNeeded)
  }

  countUnread(matches: (type: string) => boolean): number {
    return this.#unread.from(this.#next, matches)
  }

  plan(attempt: PlannedAttempt): void {
    this.#queue.add(attempt)
    if (attempt.at > this.#team.clock.moment) this.#wakeAt(attempt.at)
  }

  /** Plans a retry. Returns false after the last attempt, or if too many attempts are planned. */
  retry(failed: PlannedAttempt, failedAt: number): boolean {
    const next = nextAttempt(failed, failedAt)
    if (!next || this.#queue.size >= undeliveredLimit) return false
    this.plan(next)
    return true
  }

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

  /** Removes past wake-ups. */
  wakeUp(): void {
    const { moment } = this.#team.clock
    for (;;) {
      const at = this.#nextWakeUps.take(moment)
      if (at === undefined) return
      this.#wakeUps.delete(at)
    }
  }

  /** Removes all planned attempts and skips all past events. Returns the messages of the removed redeliveries. */
  skip(): DeadLetter[] {
    const letters = this.planned().flatMap(({ letter }) => letter ?? [])
    this.stop()
    this.#next = this.#team.outbox.count + 1
    return letters
  }

  stop(): void {
    this.#queue.clear()
    this.#next = Number.POSITIVE_INFINITY
    this.#team.clock.cancel('webhook.due', this.#id)
    this.#wakeUps.clear()
    this.#nextWakeUps.clear()
  }

  restore(next: number, queue: readonly PlannedAttempt[]): void {
    this.#next = next
    this.#unread.reset()
    this.#queue = new AttemptQueue(queue)
  }

  /** Restores the wake-ups. The clock already contains the wake-ups at `moments`. */
  resume(moments: readonly number[]): void {
    for (const at of moments) this.#addWakeUp(at)
    for (const { at } of this.#queue.list()) if (at > this.#team.clock.moment) this.#wakeAt(at)
  }

  /**
   * Plans the first attempts for the next events in the outbox. Returns the first attempt that is due, or undefined if
   * none is.
   */
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

  /** Skips all dropped events at once, because skipping them one by one can be very slow. */
  #skipTo(firstKept: number): void {
    if (this.#next >= firstKept) return
    this.#next = firstKept
    this.#unread.reset()
  }

  #firstAttempts(number: number, at: number, { duplicates }: DeliveryModes): PlannedAttempt[] {
    const attempt = { number, attempt: 1, at, isDuplicate: false }
    const random = this.#team.random.fork(`webhook/${this.#id}/duplicate/${number}`)
    return random.next() < duplicates ? [attempt, { ...attempt, isDuplicate: true }] : [attempt]
  }

  #wakeAt(at: number): void {
    // Virtual time never reaches a moment after `latestMoment`, so such an attempt stays planned.
    if (this.#wakeUps.has(at) || at > latestMoment) return
    this.#addWakeUp(at)
    this.#team.clock.schedule({ type: 'webhook.due', subject: this.#id, at })
  }

  #addWakeUp(at: number): void {
    this.#wakeUps.add(at)
    this.#nextWakeUps.add(at, at)
  }
}

/** Returns the retry of a failed attempt, or undefined after the last attempt. */
function nextAttempt(failed: PlannedAttempt, failedAt: number): PlannedAttempt | undefined {
  const wait = retryDelays[failed.attempt - 1]
  if (wait === undefined) return undefined
  return { ...failed, attempt: failed.attempt + 1, at: failedAt + spanOf(wait) }
}
