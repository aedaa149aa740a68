import { MockError } from '../../errors.ts'
import { type PlannedAttempt, plannedDelivery } from './attempt-queue.ts'
import { DeadLetters, exhaustedEvent, isReportOf, takeRedeliveries } from './dead-letters.ts'
import type {
  DeadLetter,
  Delivery,
  DeliveryExchange,
  DeliveryTarget,
  PlannedDelivery,
} from './deliveries.ts'
import { DeliveryLog } from './delivery-log.ts'
import { drawFlaws } from './delivery-modes.ts'
import type { DeliveryPort } from './delivery-port.ts'
import { DeliverySchedule } from './delivery-schedule.ts'
import { healthAfter, healthy, isDisabled } from './endpoint-health.ts'
import {
  anyTypeMatcher,
  defaultReceiverSettings,
  deliveryTargetOf,
  type ReceiverSettings,
  type ReceiverState,
  withOptions,
} from './receiver-state.ts'
import { deliveryResult, sendAttempt } from './send.ts'
import type { WebhookInput } from './webhook-input.ts'

/** Delivers the events in a team's outbox to one receiver. */
// A receiver reads the outbox at its own pace. It queues only due attempts and retries, so other pending events need no
// extra memory.
export class Receiver {
  /** The webhook's id. */
  readonly id: string
  readonly #team: DeliveryPort
  #settings: ReceiverSettings
  readonly #schedule: DeliverySchedule
  #target: DeliveryTarget | undefined
  /** The test's options. The URL in the options is trusted, but a URL from a snapshot is not. */
  #input: WebhookInput = {}
  #matches: (type: string) => boolean = () => true
  readonly log = new DeliveryLog()
  readonly #deadLetters = new DeadLetters()
  readonly #inProgress = new Set<PlannedAttempt>()
  /**
   * The number of times that deliveries were stopped. The result of an attempt that started before the latest stop is
   * ignored.
   */
  #epoch = 0
  #run: Promise<void> | undefined

  constructor(id: string, team: DeliveryPort) {
    this.id = id
    this.#team = team
    this.#schedule = new DeliverySchedule(id, team)
    this.#settings = defaultReceiverSettings(id, team.random)
  }

  /** The receiver's URL, or null for a handler. */
  get url(): string | null {
    return this.#settings.url
  }

  /** The signing secret, `whsec_<base64>`. */
  get secret(): string {
    return this.#settings.secret
  }

  /** The event types to deliver. */
  get types(): readonly string[] {
    return this.#settings.types
  }

  /** The number of attempts in progress, planned attempts, and events not yet attempted. */
  get pending(): number {
    const unread = this.#schedule.countUnread(this.#matches)
    return this.#inProgress.size + this.#schedule.size + unread
  }

  /** Whether deliveries can reach the receiver. A receiver restored from JSON has no handler. */
  get isAttached(): boolean {
    return this.#target !== undefined
  }

  /** Whether deliveries stopped after more than five days of failures. */
  get isDisabled(): boolean {
    return isDisabled(this.#settings.health, this.#team.clock.moment)
  }

  /** Enables a disabled receiver. It receives new events, but not those that it missed. */
  enable(): void {
    this.#skipMissed()
    this.#settings.health = healthy
    this.wake()
  }

  /** Whether an attempt is in progress. */
  get isBusy(): boolean {
    return this.#run !== undefined
  }

  /** Returns the latest attempts, oldest first. */
  deliveries(): Delivery[] {
    return this.log.deliveries()
  }

  /** Returns the latest attempts (at most 100) with requests and responses, oldest first. */
  exchanges(): DeliveryExchange[] {
    return this.log.exchanges()
  }

  /** Returns the planned attempts, such as retries, earliest first. */
  planned(): PlannedDelivery[] {
    const { outbox } = this.#team
    return this.#schedule.planned().map((attempt) => plannedDelivery(attempt, outbox))
  }

  /** Returns the messages whose final delivery attempt failed, oldest first. */
  deadLetters(): DeadLetter[] {
    return this.#deadLetters.list()
  }

  /**
   * Redelivers a message, with the full retry schedule.
   *
   * @param id The `webhook-id` of the message. Default: every dead letter.
   * @throws {MockError} `unknown_record` if no message has this id; `invalid_state` if the receiver is disabled or
   *   removed.
   */
  redeliver(id?: string): void {
    if (this.#schedule.isStopped) throw this.#cannotRedeliver('was removed. Add it again first.')
    if (this.isDisabled) throw this.#cannotRedeliver('is disabled. Enable it first.')
    const { outbox, clock } = this.#team
    const redelivery = (this.#settings.redeliveries ?? 0) + 1
    const plan = { at: clock.moment, redelivery }
    const attempts = takeRedeliveries(id, this.#deadLetters, outbox, plan)
    this.#settings.redeliveries = redelivery
    for (const attempt of attempts) this.#schedule.plan(attempt)
    this.wake()
  }

  /** Applies a test's options. */
  attach(input: WebhookInput): void {
    this.#settings = withOptions(this.#settings, input)
    this.#input = { ...input }
    this.#connect()
  }

  /** Delivers the messages that are due. */
  wake(): void {
    this.#schedule.wakeUp()
    if (this.#run || !this.#target) return
    const done = this.#team.clock.trackDelivery()
    this.#run = this.#deliverAll()
      // An unexpected error must neither block the clock nor end the process.
      .catch((error) => this.#team.report(error))
      .finally(done)
  }

  /** Resolves when no attempt is in progress. */
  async idle(): Promise<void> {
    while (this.#run) await this.#run
  }

  /** Stops deliveries. Only a restore can resume them. */
  stop(): void {
    this.#epoch += 1
    this.#schedule.stop()
  }

  /** Returns the number of the first event that a delivery still needs. */
  firstNeeded(): number {
    const inProgress = [...this.#inProgress].filter(({ letter }) => !letter)
    return Math.min(this.#schedule.firstNeeded, ...inProgress.map(({ number }) => number))
  }

  /** Returns the state for a snapshot. Attempts in progress become planned attempts. */
  state(): ReceiverState {
    const { next } = this.#schedule
    const queue = [...this.#inProgress, ...this.#schedule.planned()]
    return { ...this.#settings, deadLetters: this.deadLetters(), next, queue }
  }

  restore({ next, queue, deadLetters, ...settings }: ReceiverState): void {
    this.stop()
    this.log.clear()
    this.#inProgress.clear()
    this.#schedule.restore(next, queue)
    this.#settings = settings
    this.#deadLetters.restore(deadLetters)
    this.#connect()
  }

  /** Resumes after a restore. The clock already contains the wake-ups at `moments`. */
  resume(moments: readonly number[]): void {
    this.#schedule.resume(moments)
    this.wake()
  }

  #cannotRedeliver(reason: string): MockError {
    return new MockError('invalid_state', `Cannot redeliver: the webhook '${this.id}' ${reason}`)
  }

  #connect(): void {
    const { url, types } = this.#settings
    this.#target = deliveryTargetOf(url, this.#input, this.#team.allowsRemoteWebhooks)
    this.#matches = anyTypeMatcher(types)
  }

  async #deliverAll(): Promise<void> {
    try {
      // Let the code that emitted events finish first.
      await undefined
      for (;;) {
        const preparation = this.#team.prepareEvents()
        if (preparation) await preparation
        const due = this.#takeDue()
        if (due.length === 0) break
        await Promise.all(
          due.map((attempt) =>
            this.#attempt(attempt)
              .catch((error) => this.#team.report(error))
              .then(() => this.#team.changed()),
          ),
        )
      }
    } finally {
      this.#run = undefined
    }
  }

  /** Skips the events that a disabled receiver misses. Pending redeliveries become dead letters again. */
  #skipMissed(): void {
    if (!this.isDisabled || this.#schedule.isStopped) return
    const { outboxLimit } = this.#team.settings
    for (const letter of this.#schedule.skip()) this.#deadLetters.add(letter, outboxLimit)
  }

  #takeDue(): PlannedAttempt[] {
    // A restore can remove the target during a run.
    if (!this.#target) return []
    this.#skipMissed()
    return this.#schedule.takeDue({ modes: this.#settings, matches: this.#matches })
  }

  async #attempt(attempt: PlannedAttempt): Promise<void> {
    const { outbox, random, clock } = this.#team
    const event = attempt.letter ?? outbox.at(attempt.number)
    if (!event || !this.#target || isReportOf(event, this.id)) return
    const epoch = this.#epoch
    this.#inProgress.add(attempt)
    const { letter: _, redelivery, ...planned } = attempt
    const { number, isDuplicate } = planned
    const label = `webhook/${this.id}/${number}/${planned.attempt}/${isDuplicate}`
    const drawLabel = redelivery ? `${label}/${redelivery}` : label
    const { flaws, isLost } = drawFlaws(this.#settings, random.fork(drawLabel))
    const at = clock.now()
    const destination = { url: this.url, secret: this.secret, target: this.#target }
    const message = { event, destination, flaws, webhook: this.id, attempt: planned.attempt }
    const sent = await sendAttempt(message, this.#team).finally(() =>
      this.#inProgress.delete(attempt),
    )
    if (epoch !== this.#epoch) return
    const received = deliveryResult(sent, isLost)
    const { id, event_type } = event
    const { outboxLimit } = this.#team.settings
    const delivery = { ...planned, id, event_type, ...flaws, at, ...received }
    this.log.add(delivery, sent.exchange, outboxLimit)
    this.#settings.health = healthAfter(received.outcome, this.#settings.health, at.getTime())
    if (received.outcome === 'delivered' || isDuplicate) return
    if (this.#schedule.retry(attempt, at.getTime())) return
    this.#deadLetters.add(event, outboxLimit)
    const body = exhaustedEvent(event, this.id, attempt.attempt)
    if (body) outbox.emit({ kind: 'event', body })
  }
}
