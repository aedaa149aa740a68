import type { LivingUsers } from '../living/users/living-users.ts'
import type { Appointments } from './bookings/appointments.ts'
import type { Bookings } from './bookings/bookings.ts'
import type { TeamClock } from './clock/clock.ts'
import type { CollectionOf } from './collections/collection.ts'
import type { TeamCollections } from './collections/collections.ts'
import type { Orders } from './collections/orders.ts'
import type { Users } from './collections/users.ts'
import type { HealthData } from './health/health.ts'
import type { IdempotencyKeys } from './idempotency.ts'
import type { Imports } from './imports.ts'
import type { RecordPort, SchedulePort } from './ports.ts'
import type { User } from './records/users.ts'

/** The team state that request handlers use: records, virtual time, random number generator and settings. */
export interface World extends TeamCollections, RecordPort, SchedulePort {
  readonly clock: TeamClock
  readonly users: Users
  readonly connections: CollectionOf<'connections'>
  readonly orders: Orders
  readonly appointments: Appointments
  readonly data: HealthData
  readonly providers: CollectionOf<'providers'>
  readonly payors: CollectionOf<'payors'>
  readonly bookings: Bookings
  readonly idempotency: IdempotencyKeys
  readonly imports: Imports
  readonly living: LivingUsers
  /**
   * Returns a user. By default, creates the user if the id is unknown, because no endpoint in the specification creates
   * users.
   */
  user(userId: string): User
  catchUp(): void
  /** Calls the `onChange` hook after a change that affects the snapshot. */
  changed(): void
}
