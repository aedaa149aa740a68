import { MockError } from '../errors.ts'
import type { World } from '../state/world.ts'
import { checkWebhook, Receiver, type ReceiverState, type WebhookInput } from './receiver.ts'

/** A receiver of a team's events. */
export type Webhook = Pick<
  Receiver,
  'id' | 'url' | 'secret' | 'types' | 'pending' | 'deliveries' | 'deadLetters' | 'redeliver'
>

/** What a snapshot keeps of the webhooks: all but functions, which no JSON can hold. */
export type WebhooksSnapshot = ReceiverState[]

/** The receivers of a team's events. */
export class Webhooks {
  readonly #world: World
  readonly #receivers = new Map<string, Receiver>()

  constructor(world: World) {
    this.#world = world
  }

  /**
   * Adds a receiver of the events that are emitted from now on. Every message is signed as Standard Webhooks says, with
   * the time of this machine, with which receivers compare it; attempts are repeated on the team's clock, after 5 s,
   * 5 min, 30 min, 2 h, 5 h, 10 h and 10 h. An attempt succeeds with any 2xx.
   *
   * @throws {MockError} `invalid_option` when there is nothing to deliver to, a URL is not on this machine, the `id` is
   * another webhook's, or a value is out of its bounds.
   * @example
   * const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
   * team.webhooks.add({ secret, handler: eventHandler({ secrets: secret, on, fallback }) })
   */
  add(input: WebhookInput): Webhook {
    checkWebhook(input)
    const id = input.id ?? this.#freeId()
    const known = this.#receivers.get(id)
    if (known?.isAttached) {
      throw new MockError('invalid_option', `There is a webhook '${id}' already.`)
    }
    const receiver = known ?? new Receiver(id, this.#world)
    receiver.attach(input)
    this.#receivers.set(id, receiver)
    receiver.wake()
    return receiver
  }

  /** The webhook of an id; undefined when there is none. */
  get(id: string): Webhook | undefined {
    return this.#receivers.get(id)
  }

  /** The webhooks in the order in which they were added. */
  list(): Webhook[] {
    return [...this.#receivers.values()]
  }

  /** Removes a webhook, and what it has still to deliver; false when there was none. */
  remove(id: string): boolean {
    this.#receivers.get(id)?.stop()
    return this.#receivers.delete(id)
  }

  /**
   * Resolves when everything is delivered that is due by now; what is to be repeated later is not waited for.
   *
   * @throws {MockError} `invalid_state` inside a webhook handler.
   */
  async idle(): Promise<void> {
    this.#world.clock.checkOutsideHandlers('webhooks.idle')
    const all = () => [...this.#receivers.values()]
    while (all().some(({ isBusy }) => isBusy)) await Promise.all(all().map((one) => one.idle()))
  }

  /**
   * Lets one receiver, or all of them, deliver what is due.
   *
   * @internal
   */
  wake(id?: string): void {
    for (const receiver of this.#receivers.values()) {
      if (id === undefined || receiver.id === id) receiver.wake()
    }
  }

  /**
   * The smallest number of an event that is still to be delivered.
   *
   * @internal
   */
  needed(): number {
    const numbers = [...this.#receivers.values()].map((receiver) => receiver.needed())
    return Math.min(Number.POSITIVE_INFINITY, ...numbers)
  }

  /** What a snapshot keeps. */
  snapshot(): WebhooksSnapshot {
    return [...this.#receivers.values()].map((receiver) => receiver.state())
  }

  /**
   * Brings back what a snapshot keeps. A receiver that is a function stays so if the snapshot has one of its id. It
   * delivers again after {@link Webhooks.resume}.
   */
  restore(states: WebhooksSnapshot): void {
    const before = new Map(this.#receivers)
    this.#receivers.clear()
    for (const receiver of before.values()) receiver.stop()
    for (const state of states) {
      const receiver = before.get(state.id) ?? new Receiver(state.id, this.#world)
      receiver.restore(state)
      this.#receivers.set(state.id, receiver)
    }
  }

  /** Delivers again after a restore, once the clock has its due events. */
  resume(): void {
    const due = this.#world.clock.dueEvents().filter(({ type }) => type === 'webhook.due')
    for (const receiver of this.#receivers.values()) {
      const own = due.filter(({ subject }) => subject === receiver.id)
      receiver.resume(own.map(({ at }) => at))
    }
  }

  #freeId(): string {
    let number = 1
    while (this.#receivers.has(`webhook_${number}`)) number += 1
    return `webhook_${number}`
  }
}
