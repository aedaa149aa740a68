import type { BookingOutcome } from './bookings/outcomes.ts'
import type { ClockMode } from './clock/clock-modes.ts'
import type { Instant, TimeSpan } from './clock/time.ts'

/** Options for a team, mostly for behaviour that the specification leaves open. All values are plain data. */
export interface TeamOptions {
  /** The team's API key. Default: generated from the seed. */
  apiKey?: string
  /** The initial virtual time. Default: the mock's value. */
  now?: Instant
  /** How virtual time passes. Default: `auto`. */
  clock?: ClockMode
  /**
   * Whether a request with an unknown user id creates the user. Bulk imports never create users. Default: true.
   */
  autoCreateUsers?: boolean
  /**
   * Whether to respond with 415 to a request whose content type is not JSON. A body without a content type is treated
   * as JSON. Default: true.
   */
  strictContentType?: boolean
  /** Whether to respond with 422 for enumeration values that the specification does not list. Default: false. */
  strictEnumerations?: boolean
  /**
   * Whether to respond with 404 for unknown payor codes. Otherwise, a company is generated (specification 4.1).
   * Default: false.
   */
  strictPayors?: boolean
  /**
   * Whether creating insurance fails with 400 if the user has no stored information, and with 422 if a relationship
   * other than `Self` has no guarantor (specification 4.1). Default: false.
   */
  strictInsurance?: boolean
  /**
   * The regional plans' payor codes where they differ from `MED<STATE>` and `MAID<STATE>`, such as
   * `{ MEDFED: { AZ: '10301' } }` (specification 4.1).
   */
  regionalPayors?: {
    /** The codes that replace MEDFED, by state. */
    MEDFED?: Record<string, string>
    /** The codes that replace MAIDFED, by state. */
    MAIDFED?: Record<string, string>
  }
  /**
   * Whether the team may use the link migration endpoints. If `disabled`, they respond with 403 (specification 4.3).
   * Default: `enabled`.
   */
  linkMigration?: 'enabled' | 'disabled'
  /**
   * The providers for which the team has an OAuth credential. Bulk imports for other providers fail with 400
   * (specification 4.3). Default: `all`.
   */
  oauthCredentials?: 'all' | readonly string[]
  /** The virtual time that a bulk import takes per connection (specification 4.3). Default: 1 ms. */
  importTimePerConnection?: TimeSpan
  /**
   * The response to deleting a missing connection: 404, or `{"success": false}` (specification 4.10). Default:
   * `not_found`.
   */
  deleteMissingConnection?: 'not_found' | 'success_false'
  /**
   * The mobile SDKs' mode. In `auto_connect`, deleting an on-device connection has no effect (specification 4.10).
   * Default: `auto_connect`.
   */
  sdkMode?: 'auto_connect' | 'explicit'
  /**
   * The outcome of a booking if neither a magic key nor `bookings.next` sets it (specification 4.8). Default: confirmed
   * immediately.
   */
  bookingOutcome?: BookingOutcome
  /** How long a synchronous booking waits for a confirmation before it fails (specification 4.8). Default: 60 s. */
  synchronousBookingTimeout?: TimeSpan
  /**
   * The body of a failed booking's 500 response: `{"detail": ...}` or plain text (specification part 7). Default:
   * `json`.
   */
  bookingFailure?: 'json' | 'text'
  /**
   * Whether `POST /v3/order` honours `x-idempotency-key`: for 24 hours of virtual time, requests with the same key get
   * the first response, unless it is a 401, 409, 413, 415 or 422 (an assumption). Default: true.
   */
  idempotencyKeys?: boolean
  /** How long a sign-in token is valid (specification 4.7). Default: 1 hour. */
  signInTokenLifetime?: TimeSpan
  /**
   * Whether the team may use aggregate queries, which are in closed beta. Otherwise, they fail with 403 (specification
   * 4.11). Default: true.
   */
  aggregate?: boolean
  /**
   * The rows that a group in an aggregate query uses: from the best source (by type, then provider), or from all
   * sources (specification 4.11). Queries without groups, or grouped by source provider and type, use all sources.
   * Default: `best_source`.
   */
  sourcePriority?: 'best_source' | 'all_sources'
  /**
   * The provider priority in aggregate queries, most preferred first. Other providers follow in alphabetical order
   * (specification 4.11). Default: none.
   */
  providerPriority?: readonly string[]
  /**
   * The users' time zone: an IANA name such as `Europe/Berlin`, or an offset such as `+02:00`. `configure` cannot
   * change it. Default: `UTC`.
   */
  timeZone?: string
  /**
   * Whether new users' health data keeps arriving as time passes. A user's own `living` option overrides this. Default:
   * false.
   */
  living?: boolean
  /** The default persona for new users, such as `shift_worker`, or null for none. Default: null. */
  persona?: string | null
  /**
   * Whether users have health data generated from the seed. If false, only living users have generated data
   * (specification 4.11). Default: true.
   */
  generatedData?: boolean
  /**
   * How a historical pull ends: with an event that contains the data (specification part 6), or with a notice without
   * data (an assumption). Before a notice, no chunks are sent, so consumers must fetch the data. Default: `data`.
   */
  historicalEvents?: 'data' | 'notice'
  /**
   * The `data` of a daily summary event: a list with its source (specification part 6), or the record itself (an
   * assumption). Default: `list`.
   */
  summaryEvents?: 'list' | 'record'
  /**
   * The format of events: as in specification part 6, or with `team_id`, `client_user_id` and a different
   * `provider.connection.error` (an assumption). Default: `specification`.
   */
  eventEnvelope?: 'specification' | 'extended'
  /**
   * When to send deprecated fields: until their removal date in virtual time, always, or never (specification part 9).
   * Default: `until_removal`.
   */
  deprecatedFields?: 'until_removal' | 'always' | 'never'
  /** The maximum number of requests in the journal. Beyond this limit, the oldest are dropped. Default: 1,000. */
  journalLimit?: number
  /**
   * The approximate maximum size of the journal, in bytes. Beyond this limit, the oldest requests are dropped, but
   * never the latest one. Counts URLs, headers and bodies, plus 1 KiB per request and record change. Default:
   * 33,554,432 (32 MiB).
   */
  journalBytes?: number
  /**
   * The maximum number of stored events, and of deliveries and dead letters per webhook. The oldest are dropped first.
   * Default: 10,000.
   */
  outboxLimit?: number
  /**
   * Whether responses must match the specification's values and formats. If false, the team's collections also accept
   * values of the wrong type. Default: true.
   */
  strictResponses?: boolean
}

/** Options for a mock. Team options set here are the defaults for the mock's teams. */
export interface MockOptions extends Omit<TeamOptions, 'apiKey'> {
  /** The seed for all random values. The same seed, clock and call order produce the same responses. Default: 1. */
  seed?: number | string
  /**
   * The base URL that `connection()` returns. The mock ignores the host of requests. Default:
   * `https://mock.health-lab.test`.
   */
  baseUrl?: string
  /**
   * The maximum number of teams that a server keeps for unknown API keys. Beyond this limit, the least recently used
   * team is deleted. Teams from `mock.team()` are excluded. Default: 1,000.
   */
  autoTeamLimit?: number
}

/** A team's options, with the defaults filled in. */
export type Settings = Required<Omit<TeamOptions, 'apiKey'>>

export const defaultSettings: Settings = {
  now: '2025-06-01T09:00:00Z',
  clock: 'auto',
  autoCreateUsers: true,
  strictContentType: true,
  strictEnumerations: false,
  strictPayors: false,
  strictInsurance: false,
  regionalPayors: {},
  linkMigration: 'enabled',
  oauthCredentials: 'all',
  importTimePerConnection: '1ms',
  deleteMissingConnection: 'not_found',
  sdkMode: 'auto_connect',
  bookingOutcome: { outcome: 'confirm' },
  synchronousBookingTimeout: '60s',
  bookingFailure: 'json',
  idempotencyKeys: true,
  signInTokenLifetime: '1h',
  aggregate: true,
  sourcePriority: 'best_source',
  providerPriority: [],
  timeZone: 'UTC',
  living: false,
  persona: null,
  generatedData: true,
  historicalEvents: 'data',
  summaryEvents: 'list',
  eventEnvelope: 'specification',
  deprecatedFields: 'until_removal',
  journalLimit: 1000,
  journalBytes: 32 * 1024 * 1024,
  outboxLimit: 10_000,
  strictResponses: true,
}

export const mockDefaults = {
  seed: 1,
  baseUrl: 'https://mock.health-lab.test',
  autoTeamLimit: 1000,
}

/** The on-device platforms. The SDK's mode determines whether their connections can be deleted (specification 4.10). */
export const onDevicePlatforms: readonly string[] = [
  'apple_health_kit',
  'health_connect',
  'samsung_health',
]

/**
 * The delays between delivery attempts. A message becomes a dead letter when the attempt after the last delay fails.
 */
export const retryDelays: readonly TimeSpan[] = ['5s', '5m', '30m', '2h', '5h', '10h', '10h']

/**
 * The maximum number of emissions that the outbox stores for slow receivers, and of delivery attempts scheduled per
 * receiver. Above this limit, the outbox drops the oldest emissions, and failed messages immediately become dead
 * letters.
 */
export const undeliveredLimit = 100_000

/** The time limit for a webhook's response to a delivery, in milliseconds. */
export const deliveryTimeout = 15_000

export interface ArrivalFormat {
  deprecatedFields: Settings['deprecatedFields']
  historicalEvents: Settings['historicalEvents']
}
