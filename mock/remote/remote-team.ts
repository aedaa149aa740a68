import type { Appointment } from '../../src/contract/appointments.ts'
import type { AppointmentStatus } from '../../src/contract/values/known-values.ts'
import type { OperationPattern } from '../base/operations.ts'
import type { CatalogueLab, CatalogueLabTest, CatalogueMarker } from '../data/catalogue.ts'
import type { Payor } from '../data/payors.ts'
import type { TeamProvider } from '../data/providers.ts'
import type { DeadLetter, Delivery } from '../events/deliveries.ts'
import type { EmittedEvent } from '../events/outbox.ts'
import type { EventOverrides } from '../events/trigger.ts'
import type { WebhookInput } from '../events/webhook-input.ts'
import type { Fault } from '../faults/faults.ts'
import type { Har } from '../http/har-format.ts'
import type { JournalEntry } from '../http/journal-entry.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import type { AppointmentInput } from '../state/appointments.ts'
import type { BookingOutcome } from '../state/booking-outcomes.ts'
import type { ClockMode } from '../state/clock-modes.ts'
import type { KeyParts } from '../state/collection.ts'
import type { Settings, TeamOptions } from '../state/defaults.ts'
import type { PendingEvent } from '../state/due-queue.ts'
import type { BulkImportOp } from '../state/imports.ts'
import type { HealthRow, HealthRowInput } from '../state/records/health.ts'
import type { UserInsurance, UserInsuranceInput } from '../state/records/insurance.ts'
import type { LabAccount } from '../state/records/lab-tests.ts'
import type { Connection, ConnectionInput } from '../state/records/link.ts'
import type { LabOrder, LabOrderInput } from '../state/records/orders.ts'
import type { User, UserInput } from '../state/records/users.ts'
import type { Instant, TimeSpan } from '../state/time.ts'
import type { TeamConnection } from '../team.ts'

/** Records of one kind, in a mock that another process serves. Every method rejects with a `MockError`. */
export interface RemoteCollection<T, Input = Partial<T>, Key extends KeyParts = [id: string]> {
  /** Creates a record; omitted fields are generated. */
  create(input?: Input): Promise<T>
  /** Returns a record by its key; undefined if there is none. */
  get(...key: Key): Promise<T | undefined>
  /** Returns whether a record has this key. */
  has(...key: Key): Promise<boolean>
  /** Returns the records in the order of their creation: all, or those with these values. */
  list(where?: Partial<T>): Promise<T[]>
  /** Replaces fields of a record, and returns the new record. */
  update(...input: [...key: Key, changes: Partial<T>]): Promise<T>
  /** Deletes a record; returns false if there is none. */
  delete(...key: Key): Promise<boolean>
  /** Returns the number of records. */
  size(): Promise<number>
}

/** A fault of a team in another process. */
export interface RemoteFault {
  /** 1 for the team's first fault. */
  readonly id: number
  /** The fault as it was added. */
  readonly fault: Fault
  /** Returns the number of requests that it affected. */
  used(): Promise<number>
  /** Deletes the fault. */
  remove(): Promise<void>
}

/**
 * A team of a mock that another process serves: the members of `Team`, with promises. It has no `override`, because
 * functions cannot be sent.
 */
export interface RemoteTeam {
  /** The team's API key. */
  readonly apiKey: string
  /** Returns the options of a client of this team. */
  connection(): TeamConnection
  /** The users. */
  readonly users: RemoteCollection<User, UserInput>
  /** The insurances of users. */
  readonly insurances: RemoteCollection<UserInsurance, UserInsuranceInput>
  /** The connections of users to providers. */
  readonly connections: RemoteCollection<
    Connection,
    ConnectionInput,
    [user_id: string, provider: string]
  >
  /** The lab orders. */
  readonly orders: RemoteCollection<LabOrder, LabOrderInput> & {
    /** Completes an order with a result for each expected result of its markers. */
    complete(id: string): Promise<LabOrder>
  }
  /** The phlebotomy appointments. */
  readonly appointments: RemoteCollection<Appointment, AppointmentInput> & {
    /** Changes the status of an appointment. */
    transition(
      id: string,
      status: AppointmentStatus,
      changes?: Partial<Appointment>,
    ): Promise<Appointment>
  }
  /** Rows of health data, which aggregate queries and summaries read. */
  readonly data: RemoteCollection<HealthRow, HealthRowInput>
  /** The data providers. */
  readonly providers: RemoteCollection<TeamProvider, Partial<TeamProvider>, [slug: string]>
  /** The insurance companies. */
  readonly payors: RemoteCollection<Payor, Partial<Payor>, [payor_code: string]>
  /** Labs, lab tests, markers and lab accounts. */
  readonly catalogue: {
    /** The labs. */
    readonly labs: RemoteCollection<CatalogueLab, Partial<CatalogueLab>, [id: number]>
    /** The lab tests. */
    readonly labTests: RemoteCollection<CatalogueLabTest>
    /** The markers. */
    readonly markers: RemoteCollection<CatalogueMarker, Partial<CatalogueMarker>, [id: number]>
    /** The lab accounts of the team. */
    readonly labAccounts: RemoteCollection<LabAccount>
  }
  /** The bulk imports: queued, in progress and ended. */
  readonly bulkOps: RemoteBulkOps
  /** The keys and outcomes of bookings. */
  readonly bookings: RemoteBookings
  /** The virtual time. */
  readonly clock: RemoteClock
  /** The injected faults. */
  readonly faults: RemoteFaults
  /** The requests of the team, with their responses and effects. */
  readonly journal: RemoteJournal
  /** The events that the team was sent, in order (specification part 6). */
  readonly events: RemoteEvents
  /** The receivers of the events. */
  readonly webhooks: RemoteWebhooks
  /** Sends an event of any type (specification part 6); omitted fields are generated. */
  trigger(type: string, overrides?: EventOverrides): Promise<EmittedEvent>
  /** Returns the settings of the team. */
  settings(): Promise<Settings>
  /** Changes settings of the team from now on. */
  configure(options: Omit<TeamOptions, 'apiKey' | 'now' | 'clock'>): Promise<void>
  /** Signs a user in with a token, like a mobile SDK (specification 4.7). */
  signIn(token: string): Promise<User>
  /** Returns the team's state as plain JSON. */
  snapshot(): Promise<Snapshot>
  /** Restores a snapshot: all of it, or nothing if it rejects. */
  restore(snapshot: Snapshot): Promise<void>
  /** Resets the team to its initial state. */
  reset(): Promise<void>
  /** Returns the team's current state as one line of JavaScript to paste into a test. */
  reproduction(): Promise<string>
}

/** The bulk imports of a team in another process. */
export interface RemoteBulkOps {
  /** Returns a bulk import by its id; undefined if there is none. */
  get(id: string): Promise<BulkImportOp | undefined>
  /** Returns the bulk imports, the oldest first. */
  list(): Promise<BulkImportOp[]>
  /** Aborts a bulk import, and returns it. */
  abort(id: string): Promise<BulkImportOp>
}

/** The keys and outcomes of bookings of a team in another process. */
export interface RemoteBookings {
  /** Sets the outcome of the next booking without a magic key. */
  next(outcome: BookingOutcome): Promise<void>
  /** Creates a booking key for one booking. By default it does not expire. */
  key(options?: { expiresIn?: TimeSpan }): Promise<string>
}

/** The clock of a team in another process. */
export interface RemoteClock {
  /** Returns the virtual time. */
  now(): Promise<Date>
  /** Returns how virtual time passes. */
  mode(): Promise<ClockMode>
  /** Changes how virtual time passes. */
  setMode(mode: ClockMode): Promise<void>
  /** Returns the due events, the next one first. */
  pending(): Promise<PendingEvent[]>
  /** Advances the virtual time by a time span. */
  advance(span: TimeSpan): Promise<void>
  /** Advances the virtual time to a moment. */
  advanceTo(instant: Instant): Promise<void>
  /** Advances the virtual time to the next due event, and returns it; undefined if there is none. */
  runToNext(): Promise<PendingEvent | undefined>
  /** Resolves when at least this number of requests wait for virtual time. Default: 1. */
  whenWaiting(requests?: number): Promise<void>
}

/** The faults of a team in another process. */
export interface RemoteFaults {
  /** Adds a fault. */
  add(fault: Fault): Promise<RemoteFault>
  /** Returns the faults in insertion order. */
  list(): Promise<RemoteFault[]>
  /** Returns the faults that affected no request. */
  unused(): Promise<Fault[]>
  /** @throws {MockError} `unused_faults` if a fault affected no request. */
  assertAllUsed(): Promise<void>
  /** Deletes every fault. */
  clear(): Promise<void>
}

/** The journal of a team in another process. */
export interface RemoteJournal {
  /** Returns the number of requests, dropped ones included. */
  count(): Promise<number>
  /** Returns the requests in the journal, the oldest first: of all operations, or of those that match the pattern. */
  requests(pattern?: OperationPattern): Promise<JournalEntry[]>
  /** Returns the latest request: of all operations, or of those that match the pattern. */
  last(pattern?: OperationPattern): Promise<JournalEntry | undefined>
  /** Returns one line for each request, such as `insurance.create 200`. */
  lines(pattern?: OperationPattern): Promise<string[]>
  /** Returns the requests as a HAR 1.2 document without secrets and health data. */
  har(): Promise<Har>
  /** Deletes the requests in the journal. */
  clear(): Promise<void>
}

/** The events that a team in another process was sent. */
export interface RemoteEvents {
  /** Returns the number of events, dropped ones included. */
  count(): Promise<number>
  /** Returns the events that are kept, the oldest first: all, or those of a type; `*` matches any string. */
  list(type?: string): Promise<EmittedEvent[]>
  /** Returns the latest event: of all types, or of one. */
  last(type?: string): Promise<EmittedEvent | undefined>
  /** Deletes the events that are kept. */
  clear(): Promise<void>
}

/** A webhook of a team in another process. */
export interface RemoteWebhook {
  /** The id, such as `webhook_1`. */
  readonly id: string
  /** The URL of the receiver; null for a handler in the process of the mock. */
  readonly url: string | null
  /** The signing secret: `whsec_` and base64. */
  readonly secret: string
  /** The event types to deliver; `*` matches any string. */
  readonly types: readonly string[]
  /** Returns the number of attempts that are in progress, due or planned. */
  pending(): Promise<number>
  /** Returns the delivery attempts so far, the oldest first. */
  deliveries(): Promise<Delivery[]>
  /** Returns the messages whose last attempt failed. */
  deadLetters(): Promise<DeadLetter[]>
  /** Delivers a message again; without an id, every dead letter. */
  redeliver(id?: string): Promise<void>
}

/** The webhooks of a team in another process. They have a URL, because handlers cannot be sent. */
export interface RemoteWebhooks {
  /** Adds a webhook for the events from now on. */
  add(input: Omit<WebhookInput, 'handler' | 'fetch'> & { url: string }): Promise<RemoteWebhook>
  /** Returns a webhook by its id; undefined if there is none. */
  get(id: string): Promise<RemoteWebhook | undefined>
  /** Returns the webhooks in insertion order. */
  list(): Promise<RemoteWebhook[]>
  /** Deletes a webhook with its planned deliveries; returns false if there is none. */
  remove(id: string): Promise<boolean>
  /** Resolves when every due message is delivered. */
  idle(): Promise<void>
}
