import type { LivingPerson } from '../living/person/life.ts'
import type { Random } from '../reference-data/random.ts'
import type { TeamClock } from './clock/clock.ts'
import type { DueEventType } from './clock/due-queue.ts'
import type { Catalogue } from './collections/collections.ts'
import type { Settings } from './defaults.ts'
import type { Identity } from './identity.ts'
import type { Connection, ConnectionInput, Payor, TeamProvider } from './records/link.ts'
import type { User } from './records/users.ts'

/** The state on which generated values depend. */
export interface ValuePort {
  readonly random: Random
  readonly clock: {
    /** The virtual time, as a Unix timestamp in milliseconds. */
    readonly moment: number
  }
  readonly settings: Settings
}

/** Schedules future events and attributes changes to the requests that cause them. */
export interface SchedulePort extends ValuePort {
  readonly clock: TeamClock
  /** The number of the request that is causing the current changes. */
  readonly cause: number | undefined
  /** Schedules an event and attributes its changes to the current request. */
  schedule(type: DueEventType, subject: string, at: number): void
  /** Runs a step and attributes its changes to the given request, if any. */
  withCause<T>(request: number | undefined, step: () => T): T
  /** Changes records without sending events. */
  withoutEvents<T>(change: () => T): T
}

/** The parts of a team that its collections need to create records. */
export interface RecordPort extends ValuePort {
  /** The team's number, seed and hooks. A restore does not change them. */
  readonly identity: Identity
  /** The base URL of the links in responses and events. */
  readonly baseUrl: string
  readonly users: { create(): User; get(userId: string): User | undefined }
  readonly connections: {
    has(userId: string, provider: string): boolean
    list(where: Partial<Connection>): Connection[]
    create(input: ConnectionInput): Connection
    put(connection: Connection): Connection
  }
  readonly payors: { list(): Payor[] }
  readonly providers: { list(): { slug: string }[] }
  readonly catalogue: Catalogue
  /** @internal Declared here because the published type of the health data omits this internal method. */
  readonly data: { personOf(userId: string): LivingPerson }
}

/** The event format settings. Changed settings do not affect earlier events. */
type EventForm = Pick<Settings, 'deprecatedFields' | 'summaryEvents' | 'eventEnvelope'>

/** The format settings for sent data, and the clock that determines when deprecated fields are removed. */
export interface FormPort {
  readonly settings: EventForm
  readonly clock: ValuePort['clock']
}

/** The state that determines the content of summaries and samples. */
export interface SummaryPort extends FormPort {
  readonly random: Random
  readonly providers: { get(slug: string): TeamProvider | undefined }
  readonly data: { zoneOf(userId: string): string }
}
