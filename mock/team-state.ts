import type { MockError } from './errors.ts'
import { Arrivals } from './events/arrivals/arrivals.ts'
import { connectionEmissions, emissionsOf } from './events/change-events.ts'
import type { DeliveryInterceptor } from './events/delivery/deliveries.ts'
import { Webhooks } from './events/delivery/webhooks.ts'
import { Outbox } from './events/outbox.ts'
import { Faults } from './faults/faults.ts'
import { Journal } from './http/journal/journal.ts'
import { Overrides } from './http/overrides.ts'
import type { RequestWorld } from './http/request-world.ts'
import type { DueEvent } from './state/clock/due-event.ts'
import type { Change } from './state/collection.ts'
import type { Recorder } from './state/recorder.ts'
import type { Connection } from './state/records/link.ts'
import { World } from './state/world.ts'

/** Everything a team has: the world, events and webhooks, faults, overrides and the journal. */
export class TeamState extends World implements RequestWorld {
  /** The requests of the team. */
  readonly journal = new Journal(() => this.settings)
  /** The injected faults. */
  readonly faults = new Faults(
    () => this.clock.moment,
    () => this.random,
  )
  /** Decides how attempts to deliver an event are sent. */
  interceptDelivery: DeliveryInterceptor | undefined
  /** Records the history of the team; undefined while nothing is recorded. */
  recorder: Recorder | undefined
  /** The overrides of responses. */
  readonly overrides = new Overrides()
  /** The receivers of events. */
  readonly webhooks: Webhooks = new Webhooks(this)
  /** The emitted events. */
  readonly outbox: Outbox = new Outbox(this, {
    onEmit: (count, eventAt) => {
      this.journal.addEvents(count, eventAt, this.cause)
      this.webhooks.wake()
      this.identity.hooks().onChange?.()
    },
    firstNeeded: () => this.webhooks.firstNeeded(),
    beforeAccess: () => this.arrivals.catchUp(),
  })
  /** The events of data that arrives. */
  readonly arrivals: Arrivals = new Arrivals(this, (emission, at) => this.outbox.emit(emission, at))

  /** Whether a webhook gets the events as time passes. */
  get hasReceivers(): boolean {
    return this.webhooks.size > 0
  }

  /** Emits arrivals as time passes, if there is a webhook. */
  receiversChanged(): void {
    this.arrivals.schedule()
  }

  /** Reports errors that neither a request nor a test waits for. */
  report(error: unknown): void {
    this.identity.report(error)
  }

  /** Emits the events of users who were connected to a provider. */
  emitConnections(provider: string, userIds: readonly string[], at: number): void {
    const { settings, data, providers, random, living } = this
    const context = { settings, data, providers, random, living, clock: { moment: at } }
    const others = userIds.filter((userId) => !living.isLiving(userId))
    for (const emission of connectionEmissions(provider, others, context)) {
      this.outbox.emit(emission, at)
    }
    for (const userId of userIds) living.connect(userId, provider, at)
    if (this.hasReceivers) this.arrivals.catchUp()
  }

  /** Connects living users by the connections that were created without events. */
  connectLivingUsers(): void {
    this.living.connectAll()
    this.arrivals.schedule()
  }

  /** Whether any webhook may be on another machine. */
  get allowsRemoteWebhooks(): boolean {
    return this.identity.hooks().allowsRemoteWebhooks ?? false
  }

  /** Adds a change to the journal, and emits its events. */
  protected handleChange(change: Change, isWithoutEvents: boolean): void {
    this.identity.hooks().onChange?.()
    this.journal.addChange(change, this.cause)
    this.recorder?.addChange(change)
    if (isWithoutEvents) return
    if (change.collection === 'connections' && this.#isOfLiving(change)) {
      // The feed of the connection sends its events.
      if (this.hasReceivers) this.arrivals.catchUp()
      return
    }
    for (const emission of emissionsOf(change, this)) this.outbox.emit(emission)
  }

  /** Adds a failure to the journal, and reports it if no caller gets it. */
  protected handleFailure(failure: MockError, { cause }: DueEvent, isAwaited: boolean): void {
    this.journal.addFailure(failure.message, cause)
    if (!isAwaited) this.report(failure)
  }

  /** Adds a point to the history. Points have no webhooks, so a due delivery adds none. */
  protected handleDueEvent({ type }: DueEvent): void {
    if (type !== 'webhook.due') this.recorder?.addPoint({ kind: 'due', title: type })
  }

  /** Emits the events of the data that arrived by now. */
  protected receiveData(): void {
    this.arrivals.receive()
  }

  #isOfLiving({ before, after }: Change): boolean {
    // Changes of connections have connections.
    const { user_id } = (after ?? before) as Connection
    return this.living.isLiving(user_id)
  }

  /** Delivers the due messages of a webhook. */
  protected wakeWebhook(id: string): void {
    this.webhooks.wake(id)
  }
}
