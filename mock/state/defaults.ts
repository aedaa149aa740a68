import type { BookingOutcome } from './booking-outcomes.ts'
import type { ClockMode } from './clock-modes.ts'
import type { Instant, TimeSpan } from './time.ts'

/**
 * How a team behaves, above all where the specification leaves it open. Plain values only, so that a snapshot can keep
 * them.
 */
export interface TeamOptions {
  /** The team's API key. Default: one made from the seed. */
  apiKey?: string
  /** The team's time at the start. Default: the mock's. */
  now?: Instant
  /** How the team's time passes. Default: `auto`. */
  clock?: ClockMode
  /** Whether a call that names an unknown user creates it, as the specification has no call that does. Default: true. */
  autoCreateUsers?: boolean
  /** Whether an enumeration value the specification does not list is refused with 422. Default: false. */
  strictEnumerations?: boolean
  /** Whether an unknown payor code is refused with 404; else a company is made up (specification 4.1). Default: false. */
  strictPayors?: boolean
  /** Regional payor codes of the inferred plans by state, where they differ from `MED<STATE>` and `MAID<STATE>` (4.1). */
  regionalPayors?: { MEDFED?: Record<string, string>; MAIDFED?: Record<string, string> }
  /** Whether the link migration endpoints are open to the team; 403 when `disabled` (4.3). Default: `enabled`. */
  linkMigration?: 'enabled' | 'disabled'
  /** The providers with an OAuth credential of the team; a bulk import for another answers 400 (4.3). Default: `all`. */
  oauthCredentials?: 'all' | readonly string[]
  /** Team time that a bulk import takes for each connection (4.3). Default: 1 ms. */
  importTimePerConnection?: TimeSpan
  /** What deleting a connection that does not exist answers: 404, or `{"success": false}` (4.10). Default: `not_found`. */
  deleteUnconnected?: 'not_found' | 'success_false'
  /** The mobile SDKs' mode; in `auto_connect` deleting an on-device connection has no effect (4.10). Default: `auto_connect`. */
  sdkMode?: 'auto_connect' | 'explicit'
  /** How bookings end that neither a magic key nor `bookings.next` decides (4.8). Default: confirmed at once. */
  bookingOutcome?: BookingOutcome
  /** How long a synchronous booking waits for a confirmation before it fails (4.8). Default: 60 s. */
  synchronousBookingTimeout?: TimeSpan
  /** The form of a failed booking's 500: `{"detail": ...}` or plain text (7). Default: `json`. */
  bookingFailure?: 'json' | 'text'
  /** How long a sign-in token is valid (4.7). Default: 1 hour. */
  signInTokenLifetime?: TimeSpan
  /** Whether the closed beta of aggregate queries is open to the team; 403 when not (4.11). Default: true. */
  aggregate?: boolean
  /** Whether users have health data made from the seed; without, they have the rows that are added (4.11). Default: true. */
  generatedData?: boolean
  /** When deprecated fields are answered: until the day of their removal on the team's clock, always or never (9). Default: `until_removal`. */
  deprecatedFields?: 'until_removal' | 'always' | 'never'
  /** How many requests the journal keeps; older ones are dropped. Default: 1,000. */
  journalLimit?: number
  /**
   * How many bytes of requests and responses the journal keeps; older ones are dropped, and the latest request is kept
   * however large it is. Bodies count as sent, and each request and change 1 KiB more. Default: 33,554,432 (32 MiB).
   */
  journalBytes?: number
  /** How many events, and how many deliveries of each webhook, are kept; older ones are dropped. Default: 10,000. */
  outboxLimit?: number
  /**
   * Whether an answer must also have the values and formats that the specification tells. Turn it off for a team into
   * whose records you write others on purpose. Default: true.
   */
  strictAnswers?: boolean
}

/** Options of a mock; those of teams hold for each of its teams that does not say otherwise. */
export interface MockOptions extends Omit<TeamOptions, 'apiKey'> {
  /** The same seed, clock and order of calls give the same answers. Default: 1. */
  seed?: number | string
  /** What connections name as the service's base URL; requests may come to any origin. Default: `https://mock.health-lab.test`. */
  baseUrl?: string
  /**
   * How many teams a server makes for API keys that no team has; beyond it the least recently used one is deleted. Teams
   * of `mock.team()` do not count. Default: 1,000.
   */
  visitorLimit?: number
}

/** A team's options with nothing left out. */
export type Settings = Required<Omit<TeamOptions, 'apiKey'>>

/** What holds where neither the mock nor the team says otherwise. */
export const defaults: Settings = {
  now: '2025-06-01T09:00:00Z',
  clock: 'auto',
  autoCreateUsers: true,
  strictEnumerations: false,
  strictPayors: false,
  regionalPayors: {},
  linkMigration: 'enabled',
  oauthCredentials: 'all',
  importTimePerConnection: '1ms',
  deleteUnconnected: 'not_found',
  sdkMode: 'auto_connect',
  bookingOutcome: { outcome: 'confirm' },
  synchronousBookingTimeout: '60s',
  bookingFailure: 'json',
  signInTokenLifetime: '1h',
  aggregate: true,
  generatedData: true,
  deprecatedFields: 'until_removal',
  journalLimit: 1000,
  journalBytes: 32 * 1024 * 1024,
  outboxLimit: 10_000,
  strictAnswers: true,
}

export const mockDefaults = { seed: 1, baseUrl: 'https://mock.health-lab.test', visitorLimit: 1000 }

/** Platforms that live on the phone: their connections follow the SDK's mode (specification 4.10). */
export const onDevicePlatforms: readonly string[] = [
  'apple_health_kit',
  'health_connect',
  'samsung_health',
]

/** Page sizes of the list of bulk operations, inclusive. */
export const bulkOpPageSize = { minimum: 1, maximum: 50, default: 10 } as const

/** Lab tests in a page when `lab_test_limit` is not given. */
export const labTestPageSize = 50

/** How long the signed URL of a requisition form is valid (part 8). */
export const requisitionUrlValidity: TimeSpan = '7d'

/** The day on which the deprecated source fields are removed (part 9). */
export const sourceFieldsRemoval = '2024-07-31'

/** The day on which the duplicate `source` of connection events is removed (part 9). */
export const connectionSourceRemoval = '2024-07-31'

/** The day on which `is_final` of historical events is removed (part 9). */
export const historicalFinalRemoval = '2024-06-30'

/** The day on which the hypnogram timeseries and its events are removed (part 9). */
export const hypnogramRemoval = '2025-01-31'

/** How long after each failed attempt an event is delivered again; after the last one it is a dead letter. */
export const deliverySchedule: readonly TimeSpan[] = ['5s', '5m', '30m', '2h', '5h', '10h', '10h']

/**
 * How many emissions the outbox keeps for receivers that are slow or away, and how many failed messages a receiver
 * retries: beyond it the oldest emissions are dropped, and messages that fail are dead letters at once.
 */
export const undeliveredLimit = 100_000

/** Milliseconds in which a URL must answer a delivery. */
export const deliveryTimeout = 15_000
