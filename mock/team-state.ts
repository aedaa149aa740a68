import type { MockError } from './errors.ts'
import { connectionEmissions, emissionOf } from './events/change-events.ts'
import { Webhooks } from './events/delivery/webhooks.ts'
import { Outbox } from './events/outbox.ts'
import { Faults } from './faults/faults.ts'
import { Journal } from './http/journal.ts'
import { Overrides } from './http/overrides.ts'
import type { Tenant } from './http/tenant.ts'
import type { DueEvent } from './state/clock/due-event.ts'
import type { Change } from './state/collection.ts'
import { World } from './state/world.ts'

/** Everything a team has: the world, events and webhooks, faults, overrides and the journal. */
export class TeamState extends World implements Tenant {
  readonly journal = new Journal(() => this.settings)
  readonly faults = new Faults(
    () => this.clock.moment,
    () => this.random,
  )
  readonly overrides = new Overrides()
  readonly webhooks: Webhooks = new Webhooks(this)
  readonly outbox: Outbox = new Outbox(this, {
    onEmit: (count, eventAt) => {
      this.journal.noteEvents(count, eventAt, this.cause)
      this.webhooks.wake()
    },
    firstNeeded: () => this.webhooks.firstNeeded(),
  })

  /** Reports errors that neither a request nor a test waits for. */
  report(error: unknown): void {
    this.identity.report(error)
  }

  emitConnections(provider: string, userIds: readonly string[], at: number): void {
    for (const emission of connectionEmissions(provider, userIds, this)) {
      this.outbox.emit(emission, at)
    }
  }

  protected handleChange(change: Change, isWithoutEvents: boolean): void {
    this.journal.note(change, this.cause)
    const emission = isWithoutEvents ? undefined : emissionOf(change, this)
    if (emission) this.outbox.emit(emission)
  }

  protected handleFailure(failure: MockError, { cause }: DueEvent, isAwaited: boolean): void {
    this.journal.noteFailure(failure.message, cause)
    if (!isAwaited) this.report(failure)
  }

  protected wakeWebhook(id: string): void {
    this.webhooks.wake(id)
  }
}
