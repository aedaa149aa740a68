import { MockError } from '../../errors.ts'
import type { Clock } from '../../state/clock/clock.ts'
import type { Settings } from '../../state/defaults.ts'
import type { Outbox } from '../outbox.ts'
import { typeMatcher } from '../type-pattern.ts'
import type { Attempt } from './attempt-queue.ts'
import type { DeadLetter, Delivery, DeliveryTarget } from './deliveries.ts'
import { type DeliveryModes, defaultModes, drawFlaws } from './delivery-modes.ts'
import { DeliverySchedule, type ScheduleContext } from './delivery-schedule.ts'
import { newSecret } from './secret.ts'
import { type SendResult, sendMessage } from './send.ts'
import { isLocal, type WebhookInput } from './webhook-input.ts'

/** What receivers need of a team. */
export interface ReceiverContext extends ScheduleContext {
  readonly clock: ScheduleContext['clock'] & Pick<Clock, 'now' | 'trackDelivery' | 'runHandler'>
  readonly outbox: ScheduleContext['outbox'] & Pick<Outbox, 'list' | 'at'>
  readonly settings: Pick<Settings, 'outboxLimit'>
  /** Reports an error that nobody waits for. */
  report(error: unknown): void
}

/** A receiver in a snapshot, without its functions. */
export interface ReceiverState extends DeliveryModes {
  id: string
  url: string | null
  secret: string
  types: readonly string[]
  /** The number of the next event to look at. */
  next: number
  queue: readonly Attempt[]
  deadLetters: DeadLetter[]
}

const modeNames = Object.keys(defaultModes)

/**
 * Delivers the events of a team's outbox to one receiver. It reads the outbox at its own pace and stores retries only, so
 * that a million waiting events need no memory.
 */
export class Receiver {
  /** The id of the webhook. */
  readonly id: string
  readonly #context: ReceiverContext
  #state: Omit<ReceiverState, 'next' | 'queue'>
  readonly #schedule: DeliverySchedule
  #target: DeliveryTarget | undefined
  /** What the test passed; a snapshot may come from anybody and allows no other machine. */
  #input: Pick<WebhookInput, 'url' | 'handler' | 'fetch'> = {}
  #matches: (type: string) => boolean = () => true
  #log: Delivery[] = []
  readonly #inProgress = new Set<Attempt>()
  /** Counts the stops: an attempt from before the latest one changes nothing. */
  #epoch = 0
  #run: Promise<void> | undefined

  constructor(id: string, context: ReceiverContext) {
    this.id = id
    this.#context = context
    this.#schedule = new DeliverySchedule(id, context)
    this.#state = {
      ...defaultModes,
      id,
      url: null,
      secret: newSecret(context.random.fork(`webhook/${id}/secret`)),
      types: ['*'],
      deadLetters: [],
    }
  }

  /** The URL of the receiver; null for a handler. */
  get url(): string | null {
    return this.#state.url
  }

  /** The secret that signs the messages: `whsec_` and base64. */
  get secret(): string {
    return this.#state.secret
  }

  /** The event types that are delivered. */
  get types(): readonly string[] {
    return this.#state.types
  }

  /** The number of attempts that are in progress, due or planned. */
  get pending(): number {
    const unread = this.#schedule.countUnread(this.#matches)
    return this.#inProgress.size + this.#schedule.planned().length + unread
  }

  /** Whether it can deliver; after a restore from JSON, the handler is missing. */
  get isAttached(): boolean {
    return this.#target !== undefined
  }

  /** Whether an attempt is in progress. */
  get isBusy(): boolean {
    return this.#run !== undefined
  }

  /** Returns the attempts so far, the oldest first. */
  deliveries(): Delivery[] {
    return [...this.#log]
  }

  /** Returns the messages whose last attempt failed, the oldest first. */
  deadLetters(): DeadLetter[] {
    return [...this.#state.deadLetters]
  }

  /**
   * Delivers a message again, with all its retries.
   *
   * @param id The `webhook-id` of the message. Default: every dead letter.
   * @throws {MockError} `unknown_record` if no message has this id.
   */
  redeliver(id?: string): void {
    const { deadLetters } = this.#state
    const letters = deadLetters.filter((letter) => id === undefined || letter.id === id)
    const event = this.#context.outbox.list().find((one) => one.id === id)
    const messages = letters.length > 0 || !event ? letters : [event]
    if (messages.length === 0 && id !== undefined) {
      throw new MockError(
        'unknown_record',
        `No message has the id '${id}'. Use an id of deliveries() or deadLetters().`,
      )
    }
    this.#state.deadLetters = deadLetters.filter((letter) => !letters.includes(letter))
    for (const { number, id, event_type, body } of messages) {
      const letter = { number, id, event_type, body }
      const at = this.#context.clock.moment
      this.#schedule.plan({ number, attempt: 1, at, isDuplicate: false, letter })
    }
    this.wake()
  }

  /** Applies the options of a test. */
  attach(input: WebhookInput): void {
    const { url, handler, fetch, secret, types } = input
    const modes = Object.entries(input).filter(
      ([name, value]) => value !== undefined && modeNames.includes(name),
    )
    this.#state = {
      ...this.#state,
      ...(secret === undefined ? {} : { secret }),
      ...(types === undefined ? {} : { types }),
      ...Object.fromEntries(modes),
      url: url ?? null,
    }
    this.#input = {
      ...(url === undefined ? {} : { url }),
      ...(handler ? { handler } : {}),
      ...(fetch ? { fetch } : {}),
    }
    this.#connect()
  }

  /** Delivers what is due. */
  wake(): void {
    this.#schedule.wakeUp()
    if (this.#run || !this.#target) return
    const done = this.#context.clock.trackDelivery()
    this.#run = this.#deliverAll()
      // A defect here must neither block the clock nor end the process.
      .catch((error) => this.#context.report(error))
      .finally(done)
  }

  /** Resolves when no attempt is in progress. */
  async idle(): Promise<void> {
    while (this.#run) await this.#run
  }

  /** Stops the delivery for good; only a restore starts it again. */
  stop(): void {
    this.#epoch += 1
    this.#schedule.stop()
  }

  /** Returns the number of the first event that is still to be delivered. */
  firstNeeded(): number {
    let first = this.#schedule.next
    for (const { number, letter } of [...this.#schedule.planned(), ...this.#inProgress]) {
      if (!letter && number < first) first = number
    }
    return first
  }

  /** Returns the state for a snapshot; attempts in progress are planned again. */
  state(): ReceiverState {
    const { next } = this.#schedule
    return { ...this.#state, next, queue: [...this.#inProgress, ...this.#schedule.planned()] }
  }

  /** Restores the state of a snapshot. */
  restore({ next, queue, ...state }: ReceiverState): void {
    this.stop()
    this.#log = []
    this.#inProgress.clear()
    this.#schedule.restore(next, queue)
    this.#state = { ...state, deadLetters: [...state.deadLetters] }
    this.#connect()
  }

  /** Continues after a restore; the clock already has due events for these moments. */
  resume(moments: readonly number[]): void {
    this.#schedule.resume(moments)
    this.wake()
  }

  #connect(): void {
    this.#target = this.#targetOf(this.#state.url)
    const matchers = this.#state.types.map(typeMatcher)
    this.#matches = (type) => matchers.some((matches) => matches(type))
  }

  /** Returns what receives the deliveries; on another machine only the URL that the test passed. */
  #targetOf(url: string | null): DeliveryTarget | undefined {
    const { url: allowed, handler, fetch } = this.#input
    if (url === null) return handler
    if (url === allowed) return fetch ?? globalThis.fetch
    return isLocal(url) ? globalThis.fetch : undefined
  }

  async #deliverAll(): Promise<void> {
    try {
      // Let the code that emitted events finish first.
      await undefined
      for (let due = this.#takeDue(); due.length > 0; due = this.#takeDue()) {
        await Promise.all(
          due.map((attempt) =>
            this.#attempt(attempt).catch((error) => this.#context.report(error)),
          ),
        )
      }
    } finally {
      this.#run = undefined
    }
  }

  #takeDue(): Attempt[] {
    // A restore may have removed the handler since the run began.
    if (!this.#target) return []
    return this.#schedule.takeDue({ modes: this.#state, matches: this.#matches })
  }

  async #attempt(attempt: Attempt): Promise<void> {
    const { outbox, random, clock } = this.#context
    const event = attempt.letter ?? outbox.at(attempt.number)
    if (!event || !this.#target) return
    const epoch = this.#epoch
    this.#inProgress.add(attempt)
    const { number, isDuplicate } = attempt
    const label = `webhook/${this.id}/${number}/${attempt.attempt}/${isDuplicate}`
    const { flaws, isLost } = drawFlaws(this.#state, random.fork(label))
    const at = clock.now()
    const destination = { url: this.url, secret: this.secret, target: this.#target }
    const result: SendResult = await sendMessage(event, destination, flaws, (call) =>
      clock.runHandler(call),
    ).finally(() => this.#inProgress.delete(attempt))
    if (epoch !== this.#epoch) return
    const { status, error } = isLost ? { error: 'timeout' as const } : result
    const outcome = status !== undefined && status >= 200 && status < 300 ? 'delivered' : 'failed'
    const { id, event_type } = event
    this.#record({ ...attempt, id, event_type, ...flaws, at, outcome, status, error })
    if (outcome === 'failed' && !isDuplicate) this.#retry(attempt, event, at)
  }

  /** Plans the next attempt of a message; after the last one it is a dead letter. */
  #retry(failed: Attempt, { number, id, event_type, body }: DeadLetter, at: Date): void {
    if (this.#schedule.retry(failed, at.getTime())) return
    const { deadLetters } = this.#state
    deadLetters.push({ number, id, event_type, body })
    if (deadLetters.length > this.#context.settings.outboxLimit) deadLetters.shift()
  }

  #record({ letter: _, ...delivery }: Delivery & { letter?: unknown }): void {
    this.#log.push(delivery)
    if (this.#log.length > this.#context.settings.outboxLimit) this.#log.shift()
  }
}
