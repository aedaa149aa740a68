import type { MockError } from './errors.ts'
import { connectionEmissions, emissionsOf } from './events/change-events.ts'
import type { DeliveryInterceptor } from './events/delivery/deliveries.ts'
import { Webhooks } from './events/delivery/webhooks.ts'
import { Outbox } from './events/outbox.ts'
import { Faults } from './faults/faults.ts'
import { Journal } from './http/journal/journal.ts'
import { Overrides } from './http/overrides.ts'
import type { RequestWorld } from './http/route.ts'
import { Arrivals } from './living/events/arrivals.ts'
import type { DueEvent } from './state/clock/due-event.ts'
import { type ChangeOf, isChangeOf } from './state/collections/changes.ts'
import type { Change } from './state/collections/collection.ts'
import type { Recorder } from './state/recorder.ts'
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
      this.changed()
    },
    firstNeeded: () => this.webhooks.firstNeeded(),
    beforeAccess: () => this.arrivals.catchUp(),
  })
  /** The events of data that arrives. */
  readonly arrivals: Arrivals = new Arrivals(this, this.living, {
    hasReceivers: () => this.webhooks.size > 0,
    emit: (emission, at) => this.outbox.emit(emission, at),
  })

  /** Does in slices what is due by now; `withArrivals` emits the events of the data that arrived too. */
  async catchUpInSlices(withArrivals: boolean): Promise<void> {
    if (withArrivals) await this.arrivals.catchUpInSlices()
    await this.clock.catchUpInSlices()
  }

  /** Emits arrivals as time passes, if there is a webhook. */
  receiversChanged(): void {
    this.arrivals.update()
  }

  /** Reports errors that neither a request nor a test waits for. */
  report(error: unknown): void {
    this.identity.report(error)
  }

  /** Emits the events of users who were connected to a provider. */
  emitConnections(provider: string, userIds: readonly string[], at: number): void {
    const { settings, users, data, providers, random, living } = this
    const context = { settings, users, data, providers, random, living, clock: { moment: at } }
    const others = userIds.filter((userId) => !living.isLiving(userId))
    for (const emission of connectionEmissions(provider, others, context)) {
      this.outbox.emit(emission, at)
    }
    for (const userId of userIds) living.connect(userId, provider, at)
    this.arrivals.update()
  }

  /** Connects living users by the connections that were created without events. */
  connectLivingUsers(): void {
    this.living.connectAll()
    this.arrivals.update()
  }

  /** Whether any webhook may be on another machine. */
  get allowsRemoteWebhooks(): boolean {
    return this.identity.hooks().allowsRemoteWebhooks ?? false
  }

  /** Adds a change to the journal, and emits its events. */
  protected handleChange(change: Change, isWithoutEvents: boolean): void {
    this.changed()
    this.journal.addChange(change, this.cause)
    this.recorder?.addChange(change)
    this.outbox.handleChange(change)
    if (isWithoutEvents) return
    const { collection } = change
    // The feeds of living users send the events of their connections.
    const isOfFeed = isChangeOf(change, 'connections') && this.#isOfLiving(change)
    for (const emission of isOfFeed ? [] : emissionsOf(change, this)) this.outbox.emit(emission)
    if (collection === 'connections' || collection === 'users') this.arrivals.update()
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
    this.arrivals.catchUp()
  }

  #isOfLiving({ before, after = before }: ChangeOf<'connections'>): boolean {
    return after !== undefined && this.living.isLiving(after.user_id)
  }

  /** Delivers the due messages of a webhook. */
  protected wakeWebhook(id: string): void {
    this.webhooks.wake(id)
  }
}
