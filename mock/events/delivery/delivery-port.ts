import type { Random } from '../../reference-data/random.ts'
import type { TeamClock } from '../../state/clock/clock.ts'
import type { Settings } from '../../state/defaults.ts'
import type { Outbox } from '../outbox.ts'
import type { DeliveryInterceptor } from './deliveries.ts'

/** The dependencies of a team's deliveries. */
export interface DeliveryPort {
  readonly random: Random
  /** The clock, which wakes receivers and pauses while they handle events. */
  readonly clock: TeamClock
  readonly outbox: Outbox
  /** The settings, which limit how many deliveries and dead letters are stored. */
  readonly settings: Settings
  /** Whether webhooks may call other machines. */
  readonly allowsRemoteWebhooks: boolean
  readonly interceptDelivery?: DeliveryInterceptor | undefined
  /** Called after each attempt. */
  changed(): void
  /** Called after a receiver is added or removed. */
  receiversChanged(): void
  /** Generates the data of new connections, in slices. Returns undefined if there is no such data to generate. */
  prepareEvents(): Promise<void> | undefined
  /** Reports an error that cannot be thrown to a caller. */
  report(error: unknown): void
}
