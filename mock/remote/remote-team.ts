import type { Appointment } from '../../src/contract/appointments.ts'
import type { AppointmentStatus } from '../../src/contract/values/known-values.ts'
import type { OperationPattern } from '../base/operations.ts'
import type { CatalogueLab, CatalogueLabTest, CatalogueMarker } from '../data/catalogue.ts'
import type { Payor } from '../data/payors.ts'
import type { TeamProvider } from '../data/providers.ts'
import type { DeadLetter, Delivery } from '../events/delivery/deliveries.ts'
import type { WebhookInput } from '../events/delivery/webhook-input.ts'
import type { EmittedEvent } from '../events/outbox.ts'
import type { EventOverrides } from '../events/trigger.ts'
import type { Fault } from '../faults/faults.ts'
import type { Har } from '../http/har-format.ts'
import type { JournalEntry } from '../http/journal-entry.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import type { AppointmentInput } from '../state/bookings/appointments.ts'
import type { BookingOutcome } from '../state/bookings/booking-outcomes.ts'
import type { ClockMode } from '../state/clock/clock-modes.ts'
import type { PendingEvent } from '../state/clock/due-queue.ts'
import type { Instant, TimeSpan } from '../state/clock/time.ts'
import type { KeyParts } from '../state/collection.ts'
import type { Settings, TeamOptions } from '../state/defaults.ts'
import type { BulkImportOp } from '../state/records/bulk-ops.ts'
import type { HealthRow, HealthRowInput } from '../state/records/health.ts'
import type { UserInsurance, UserInsuranceInput } from '../state/records/insurance.ts'
import type { LabAccount } from '../state/records/lab-tests.ts'
import type { Connection, ConnectionInput } from '../state/records/link.ts'
import type { LabOrder, LabOrderInput } from '../state/records/orders.ts'
import type { User, UserInput } from '../state/records/users.ts'
import type { TeamConnection } from '../team.ts'

/** Records of one kind, in a mock that another process serves. */
export interface RemoteCollection<T, Input = Partial<T>, Key extends KeyParts = [id: string]> {
  /** Adds a record; what the input leaves out is filled with plausible values. */
  create(input?: Input): Promise<T>
  /** The record of a key; undefined when there is none. */
  get(...key: Key): Promise<T | undefined>
  /** Whether there is a record of a key. */
  has(...key: Key): Promise<boolean>
  /** The records in the order of their creation: all of them, or those with these values. */
  list(where?: Partial<T>): Promise<T[]>
  /** Replaces fields of a record. */
  update(...input: [...key: Key, changes: Partial<T>]): Promise<T>
  /** Removes a record; false when there was none. */
  delete(...key: Key): Promise<boolean>
  /** How many records there are. */
  size(): Promise<number>
}

/** A fault that was added to a mock in another process. */
export interface RemoteFault {
  readonly id: number
  readonly fault: Fault
  /** How many requests it has met by now. */
  used(): Promise<number>
  /** Takes the fault back. */
  remove(): Promise<void>
}

/**
 * A team of a mock that another process serves: what `Team` offers, through promises. Overrides are functions, and
 * cannot be sent; faults can.
 */
export interface RemoteTeam {
  readonly apiKey: string
  /** The options of a client of this team. */
  connection(): TeamConnection
  readonly users: RemoteCollection<User, UserInput>
  readonly insurances: RemoteCollection<UserInsurance, UserInsuranceInput>
  readonly connections: RemoteCollection<
    Connection,
    ConnectionInput,
    [user_id: string, provider: string]
  >
  readonly orders: RemoteCollection<LabOrder, LabOrderInput> & {
    /** Completes an order with a result for each that its markers are expected to give. */
    complete(id: string): Promise<LabOrder>
  }
  readonly appointments: RemoteCollection<Appointment, AppointmentInput> & {
    /** Moves an appointment to a status. */
    transition(
      id: string,
      status: AppointmentStatus,
      changes?: Partial<Appointment>,
    ): Promise<Appointment>
  }
  readonly data: RemoteCollection<HealthRow, HealthRowInput>
  readonly providers: RemoteCollection<TeamProvider, Partial<TeamProvider>, [slug: string]>
  readonly payors: RemoteCollection<Payor, Partial<Payor>, [payor_code: string]>
  readonly catalogue: {
    readonly labs: RemoteCollection<CatalogueLab, Partial<CatalogueLab>, [id: number]>
    readonly labTests: RemoteCollection<CatalogueLabTest>
    readonly markers: RemoteCollection<CatalogueMarker, Partial<CatalogueMarker>, [id: number]>
    readonly labAccounts: RemoteCollection<LabAccount>
  }
  readonly bulkOps: RemoteBulkOps
  readonly bookings: RemoteBookings
  readonly clock: RemoteClock
  readonly faults: RemoteFaults
  readonly journal: RemoteJournal
  readonly events: RemoteEvents
  readonly webhooks: RemoteWebhooks
  /** Emits an event of any type (specification part 6); what is left out of it is made up. */
  trigger(type: string, overrides?: EventOverrides): Promise<EmittedEvent>
  /** How the team behaves. */
  settings(): Promise<Settings>
  /** Changes how the team behaves from now on. */
  configure(options: Omit<TeamOptions, 'apiKey' | 'now' | 'clock'>): Promise<void>
  /** Signs a user in with a token, as a mobile SDK would (specification 4.7). */
  signIn(token: string): Promise<User>
  /** The team's state as plain JSON. */
  snapshot(): Promise<Snapshot>
  /** Brings the team back to a snapshot. */
  restore(snapshot: Snapshot): Promise<void>
  /** Brings the team back to its beginning. */
  reset(): Promise<void>
  /** The team as it is now, as one line of JavaScript to paste into a test. */
  reproduction(): Promise<string>
}

/** Bulk imports in a mock of another process. */
export interface RemoteBulkOps {
  /** An import; undefined when there is none of this id. */
  get(id: string): Promise<BulkImportOp | undefined>
  /** The operations, the oldest first. */
  list(): Promise<BulkImportOp[]>
  /** Ends an operation early. */
  abort(id: string): Promise<BulkImportOp>
}

/** Booking keys, and how bookings end, in a mock of another process. */
export interface RemoteBookings {
  /** Says how the next booking ends that is made without a magic key. */
  next(outcome: BookingOutcome): Promise<void>
  /** A fresh booking key. */
  key(options?: { expiresIn?: TimeSpan }): Promise<string>
}

/** The time of a team in another process. */
export interface RemoteClock {
  /** The team's time. */
  now(): Promise<Date>
  /** How time passes. */
  mode(): Promise<ClockMode>
  /** Changes how time passes, from now on. */
  setMode(mode: ClockMode): Promise<void>
  /** The events still to come, the next one first. */
  pending(): Promise<PendingEvent[]>
  /** Moves time by a span. */
  advance(span: TimeSpan): Promise<void>
  /** Moves time to a moment. */
  advanceTo(instant: Instant): Promise<void>
  /** Moves time to the next event and gives it; undefined when none is to come. */
  runToNext(): Promise<PendingEvent | undefined>
  /** Resolves as soon as at least so many requests wait for time to pass. */
  whenWaiting(requests?: number): Promise<void>
}

/** The faults of a team in another process. */
export interface RemoteFaults {
  /** Adds a fault. */
  add(fault: Fault): Promise<RemoteFault>
  /** The faults that are in force, in the order of their adding. */
  list(): Promise<RemoteFault[]>
  /** The faults that no request has met. */
  unused(): Promise<Fault[]>
  /** @throws {MockError} `unused_faults` when no request has met one of the faults. */
  assertAllUsed(): Promise<void>
  /** Removes every fault. */
  clear(): Promise<void>
}

/** The journal of a team in another process. */
export interface RemoteJournal {
  /** How many requests were made, dropped ones included. */
  count(): Promise<number>
  /** The requests that are kept, the oldest first: of all operations or of those that fit the pattern. */
  requests(pattern?: OperationPattern): Promise<JournalEntry[]>
  /** The latest request: of all operations or of those that fit the pattern. */
  last(pattern?: OperationPattern): Promise<JournalEntry | undefined>
  /** A line for each request, such as `insurance.create 200`. */
  lines(pattern?: OperationPattern): Promise<string[]>
  /** The requests as a HAR 1.2 document without secrets and health data. */
  har(): Promise<Har>
  /** Forgets every request. */
  clear(): Promise<void>
}

/** The events that a team of another process was sent. */
export interface RemoteEvents {
  /** How many events were emitted, dropped ones included. */
  count(): Promise<number>
  /** The events that are kept, the oldest first: all of them, or those of a type; a `*` stands for any part of one. */
  list(type?: string): Promise<EmittedEvent[]>
  /** The latest event: of all types or of one. */
  last(type?: string): Promise<EmittedEvent | undefined>
  /** Forgets every event. */
  clear(): Promise<void>
}

/** A receiver of events of a team in another process. */
export interface RemoteWebhook {
  readonly id: string
  readonly url: string | null
  readonly secret: string
  readonly types: readonly string[]
  /** How many attempts are under way, due or planned. */
  pending(): Promise<number>
  /** The attempts that were made, the oldest first. */
  deliveries(): Promise<Delivery[]>
  /** The messages of which the last attempt failed. */
  deadLetters(): Promise<DeadLetter[]>
  /** Delivers a message again; without an id every dead letter. */
  redeliver(id?: string): Promise<void>
}

/** Who receives the events of a team in another process. A receiver is an address: functions cannot be sent. */
export interface RemoteWebhooks {
  /** Adds a receiver of the events that are emitted from now on. */
  add(input: Omit<WebhookInput, 'handler' | 'fetch'> & { url: string }): Promise<RemoteWebhook>
  /** The webhook of an id; undefined when there is none. */
  get(id: string): Promise<RemoteWebhook | undefined>
  /** The webhooks in the order in which they were added. */
  list(): Promise<RemoteWebhook[]>
  /** Removes a webhook; false when there was none. */
  remove(id: string): Promise<boolean>
  /** Resolves when everything is delivered that is due by now. */
  idle(): Promise<void>
}
