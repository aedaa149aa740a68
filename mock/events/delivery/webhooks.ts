import { MockError } from '../../errors.ts'
import type { DeliveryPort } from './delivery-port.ts'
import { Receiver } from './receiver.ts'
import type { ReceiverState } from './receiver-state.ts'
import { checkWebhook, type WebhookInput } from './webhook-input.ts'

/** A receiver of a team's events. */
export type Webhook = Pick<
  Receiver,
  | 'id'
  | 'url'
  | 'secret'
  | 'types'
  | 'pending'
  | 'isDisabled'
  | 'enable'
  | 'deliveries'
  | 'exchanges'
  | 'planned'
  | 'deadLetters'
  | 'redeliver'
>

/** The webhooks in a snapshot, without their functions. */
export type WebhooksSnapshot = ReceiverState[]

/** The receivers of a team's events. */
export class Webhooks {
  readonly #team: DeliveryPort
  readonly #receivers = new Map<string, Receiver>()

  constructor(team: DeliveryPort) {
    this.#team = team
  }

  /**
   * Adds a receiver for events emitted after this call. Messages are signed according to Standard Webhooks, with a
   * real-time timestamp. Any 2xx status is a success. A failed attempt is retried after 5 s, 5 min, 30 min, 2 h, 5 h,
   * 10 h and 10 h of virtual time. If the last attempt fails, the other receivers get a `message.attempt.exhausted`
   * event. A receiver that fails for more than five days is disabled.
   *
   * @throws {MockError} `invalid_option` if `url` and `handler` are both set or both missing, the URL is forbidden, the
   * `id` is in use, or a value is invalid; `invalid_time` if the delay is invalid.
   * @example
   * const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
   * team.webhooks.add({ secret, handler: eventHandler({ secrets: secret, on, fallback }) })
   */
  add(input: WebhookInput): Webhook {
    checkWebhook(input, { allowsRemote: this.#team.allowsRemoteWebhooks })
    const id = input.id ?? this.#freeId()
    const known = this.#receivers.get(id)
    if (known?.isAttached) {
      throw new MockError(
        'invalid_option',
        `The webhook id '${id}' is in use. Remove that webhook first, or use another id.`,
      )
    }
    const receiver = known ?? new Receiver(id, this.#team)
    receiver.attach(input)
    this.#receivers.set(id, receiver)
    this.#team.receiversChanged()
    receiver.wake()
    return receiver
  }

  /** Returns the webhook with the given id, or undefined if there is none. */
  get(id: string): Webhook | undefined {
    return this.#receivers.get(id)
  }

  /**
   * The number of delivery attempts so far.
   *
   * @internal
   */
  get attempts(): number {
    return [...this.#receivers.values()].reduce((sum, { log }) => sum + log.count, 0)
  }

  /** @internal */
  get size(): number {
    return this.#receivers.size
  }

  /**
   * Whether an attempt is in progress.
   *
   * @internal
   */
  get isBusy(): boolean {
    return [...this.#receivers.values()].some((receiver) => receiver.isBusy)
  }

  /** Returns the webhooks in insertion order. */
  list(): Webhook[] {
    return [...this.#receivers.values()]
  }

  /** Removes a webhook and its planned deliveries. Returns false if no webhook has this id. */
  remove(id: string): boolean {
    this.#receivers.get(id)?.stop()
    const isRemoved = this.#receivers.delete(id)
    this.#team.receiversChanged()
    return isRemoved
  }

  /**
   * Resolves when all due deliveries are complete. Does not wait for later retries.
   *
   * @throws {MockError} `invalid_state` if called from a webhook handler.
   */
  async idle(): Promise<void> {
    await this.#team.clock.runOutsideHandlers('webhooks.idle', async () => {
      while (this.isBusy) await Promise.all([...this.#receivers.values()].map((one) => one.idle()))
    })
  }

  /**
   * Delivers due messages to the given receiver, or to all receivers if no id is given.
   *
   * @internal
   */
  wake(id?: string): void {
    for (const receiver of this.#receivers.values()) {
      if (id === undefined || receiver.id === id) receiver.wake()
    }
  }

  /**
   * Returns the number of the first event that a delivery still needs.
   *
   * @internal
   */
  firstNeeded(): number {
    const numbers = [...this.#receivers.values()].map((receiver) => receiver.firstNeeded())
    return Math.min(Number.POSITIVE_INFINITY, ...numbers)
  }

  /** Returns the state for a snapshot. */
  snapshot(): WebhooksSnapshot {
    return [...this.#receivers.values()].map((receiver) => receiver.state())
  }

  /** Restores a snapshot's state. A restored webhook keeps the handler of the current webhook with the same id. */
  restore(states: WebhooksSnapshot): void {
    const before = new Map(this.#receivers)
    this.#receivers.clear()
    for (const receiver of before.values()) receiver.stop()
    for (const state of states) {
      const receiver = before.get(state.id) ?? new Receiver(state.id, this.#team)
      receiver.restore(state)
      this.#receivers.set(state.id, receiver)
    }
  }

  /** Resumes deliveries after a restore. The clock must already contain the restored events. */
  resume(): void {
    const due = this.#team.clock.dueEvents().filter(({ type }) => type === 'webhook.due')
    for (const receiver of this.#receivers.values()) {
      const ownEvents = due.filter(({ subject }) => subject === receiver.id)
      receiver.resume(ownEvents.map(({ at }) => at))
    }
  }

  #freeId(): string {
    let number = 1
    while (this.#receivers.has(`webhook_${number}`)) number += 1
    return `webhook_${number}`
  }
}
