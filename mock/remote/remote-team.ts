import type { AggregateRequest, AggregateResult } from '../../src/contract/aggregate.ts'
import type { Appointment } from '../../src/contract/appointments.ts'
import type { AppointmentStatus } from '../../src/contract/values/known-values.ts'
import type { SearchHit } from '../control/search-text.ts'
import type { EmittedEvent } from '../events/outbox.ts'
import type { EventOverrides, TriggerOptions } from '../events/trigger.ts'
import type { Fixture } from '../fixtures/fixture.ts'
import type { SeededRecords } from '../fixtures/seed.ts'
import type { TruthRow } from '../living/events/truth.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import type { CompletionOptions } from '../state/collections/orders.ts'
import type { Settings, TeamOptions } from '../state/defaults.ts'
import type { CollectionTypes } from '../state/records/definitions.ts'
import type { LabOrder } from '../state/records/orders.ts'
import type { CatalogueName, CollectionName, TeamName } from '../state/records/paths.ts'
import type { User } from '../state/records/users.ts'
import type { TeamConnection } from '../team.ts'
import type { RemoteClock } from './clock.ts'
import type { RemoteCollection } from './collection.ts'
import type { RemoteEvents } from './events.ts'
import type { RemoteFaults } from './faults.ts'
import type { RemoteHistory } from './history.ts'
import type { RemoteJournal } from './journal.ts'
import type { RemoteBookings, RemoteBulkOps } from './records.ts'
import type { RemoteWebhooks } from './webhooks.ts'

/** A team's collections, by name. */
export type RemoteCollections<Names extends CollectionName = CollectionName> = {
  readonly [Name in keyof Pick<CollectionTypes, Names>]: RemoteCollection<
    CollectionTypes[Name]['record'],
    CollectionTypes[Name]['input'],
    CollectionTypes[Name]['key']
  >
}

/**
 * A team in a mock that another process serves. It has all members of `Team` except `override`, because functions
 * cannot be sent to another process. All methods except `connection` return promises.
 */
export interface RemoteTeam extends RemoteCollections<TeamName> {
  /** The team's API key. */
  readonly apiKey: string
  /** Returns the client options for this team. The client uses real time. */
  connection(): Omit<TeamConnection, 'clock'>
  /** The lab orders, keyed by `id` (specification 4.12). */
  readonly orders: RemoteCollections['orders'] & {
    /**
     * Completes an order with all expected results for its markers. If `critical` is true, one result is critical.
     *
     * @param id The order's id.
     */
    complete(id: string, options?: CompletionOptions): Promise<LabOrder>
  }
  /** The phlebotomy appointments, keyed by `id` (specification 4.8). */
  readonly appointments: RemoteCollections['appointments'] & {
    /** Changes an appointment's status. */
    transition(
      id: string,
      status: AppointmentStatus,
      changes?: Partial<Appointment>,
    ): Promise<Appointment>
  }
  /** Labs, lab tests, markers and lab accounts. */
  readonly catalogue: RemoteCollections<CatalogueName>
  /** All bulk imports, including finished ones. */
  readonly bulkOps: RemoteBulkOps
  /** The booking keys and outcomes. */
  readonly bookings: RemoteBookings
  /** The team's virtual time and scheduled events. */
  readonly clock: RemoteClock
  /** The injected faults, in insertion order. */
  readonly faults: RemoteFaults
  /** The team's requests, with their responses and effects. */
  readonly journal: RemoteJournal
  /** The events sent to the team, in order (specification part 6). */
  readonly events: RemoteEvents
  /** The event receivers. */
  readonly webhooks: RemoteWebhooks
  /**
   * Sends an event (specification part 6). Omitted fields are generated. Rejects an unknown type unless `unknown` is
   * true.
   *
   * @param type The event type, such as `daily.data.sleep.created`.
   */
  trigger(type: string, overrides?: EventOverrides, options?: TriggerOptions): Promise<EmittedEvent>
  /** The history of the team's state since recording started. */
  readonly history: RemoteHistory
  /**
   * Searches the requests, records, latest 1,000 events and each webhook's latest 100 deliveries for every word of a
   * string. Returns the latest 25 matches of each kind.
   */
  search(text: string): Promise<SearchHit[]>
  /**
   * Returns the result of an aggregate query. The journal does not record the query, and no fault affects it.
   *
   * @param userId The user's `user_id`.
   */
  aggregate(userId: string, query: AggregateRequest): Promise<AggregateResult>
  /** Returns the team's settings. */
  settings(): Promise<Settings>
  /** Changes the team's settings. */
  configure(options: Omit<TeamOptions, 'apiKey' | 'now' | 'clock' | 'timeZone'>): Promise<void>
  /** Signs a user in with a token, as a mobile SDK does (specification 4.7). */
  signIn(token: string): Promise<User>
  /** Creates all of a fixture's records, or none if the call rejects. Omitted fields are generated. */
  seed(fixture: Fixture): Promise<SeededRecords>
  /**
   * Returns the rows that a consumer of all events should have stored for a user: all rows, or only one resource's.
   */
  truth(userId: string, resource?: string): Promise<TruthRow[]>
  /** Returns the team's state as plain JSON. */
  snapshot(): Promise<Snapshot>
  /** Restores a snapshot completely, or not at all if the call rejects. */
  restore(snapshot: Snapshot): Promise<void>
  /** Resets the team to its initial state. */
  reset(): Promise<void>
  /** Returns the team's current state as one line of JavaScript to paste into a test. */
  reproduction(): Promise<string>
}
