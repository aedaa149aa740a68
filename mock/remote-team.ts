import type { Appointment, AppointmentStatus } from '../src/contract/orders.ts'
import type { AppointmentInput } from './appointments.ts'
import type { ClockMode, PendingEvent } from './clock.ts'
import type { KeyParts } from './collection.ts'
import type { BookingOutcome, Settings, TeamOptions } from './defaults.ts'
import type { Fault } from './faults.ts'
import type { CatalogueLab, CatalogueLabTest, CatalogueMarker } from './generate/catalogue.ts'
import type { Har } from './har.ts'
import type { BulkImportOp } from './imports.ts'
import type { JournalEntry } from './journal.ts'
import type { OperationPattern } from './operations.ts'
import type { HealthRow, HealthRowInput } from './records/health.ts'
import type { UserInsurance, UserInsuranceInput } from './records/insurance.ts'
import type { LabAccount } from './records/lab-tests.ts'
import type { Connection, ConnectionInput, Payor, TeamProvider } from './records/link.ts'
import type { LabOrder, LabOrderInput } from './records/orders.ts'
import type { User, UserInput } from './records/users.ts'
import type { Snapshot } from './snapshot.ts'
import type { TeamConnection } from './team.ts'
import type { Instant, TimeSpan } from './time.ts'

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
  readonly bulkOps: {
    get(id: string): Promise<BulkImportOp | undefined>
    list(): Promise<BulkImportOp[]>
    abort(id: string): Promise<BulkImportOp>
  }
  readonly bookings: {
    next(outcome: BookingOutcome): Promise<void>
    key(options?: { expiresIn?: TimeSpan }): Promise<string>
  }
  readonly clock: {
    now(): Promise<Date>
    mode(): Promise<ClockMode>
    /** Changes how time passes, from now on. */
    setMode(mode: ClockMode): Promise<void>
    pending(): Promise<PendingEvent[]>
    advance(span: TimeSpan): Promise<void>
    advanceTo(instant: Instant): Promise<void>
    runToNext(): Promise<PendingEvent | undefined>
    whenWaiting(requests?: number): Promise<void>
  }
  readonly faults: {
    add(fault: Fault): Promise<RemoteFault>
    list(): Promise<RemoteFault[]>
    unused(): Promise<Fault[]>
    /** @throws {MockError} `unused_faults` when no request has met one of the faults. */
    assertAllUsed(): Promise<void>
    clear(): Promise<void>
  }
  readonly journal: {
    count(): Promise<number>
    requests(pattern?: OperationPattern): Promise<JournalEntry[]>
    last(pattern?: OperationPattern): Promise<JournalEntry | undefined>
    lines(pattern?: OperationPattern): Promise<string[]>
    har(): Promise<Har>
    clear(): Promise<void>
  }
  settings(): Promise<Settings>
  configure(options: Omit<TeamOptions, 'apiKey' | 'now' | 'clock'>): Promise<void>
  signIn(token: string): Promise<User>
  snapshot(): Promise<Snapshot>
  restore(snapshot: Snapshot): Promise<void>
  reset(): Promise<void>
  reproduction(): Promise<string>
}
