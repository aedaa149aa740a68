import type { Awaitable } from '../shared/adopt.ts'

/** How a booking ends. */
export interface BookingScenario {
  /** `confirm`: the appointment is confirmed; `fail`: the booking fails; `never`: no confirmation arrives. */
  outcome: 'confirm' | 'fail' | 'never'
  /** The time until this outcome, in milliseconds of the service's time. Default: 0. */
  after?: number
}

/** Settings for an additional team. */
export interface TeamSettings {
  /** The team's initial time as a date-time, if the service's time can be set. */
  now?: string
  /** Whether the team may import connections. */
  linkMigration?: 'enabled' | 'disabled'
  /** The providers for which the team has its own OAuth credential. */
  oauthCredentials?: readonly string[]
  /** The time that an import takes per connection, in milliseconds. */
  importTime?: number
  /** The mobile SDKs' connection mode. */
  sdkMode?: 'auto_connect' | 'explicit'
}

/** An additional team in the same service. */
export interface OtherTeam {
  /** The team's API key. */
  apiKey: string
  /** The setup functions for this team. */
  setup: Setup
}

/** A row of health data, for aggregate queries and summaries (specification 2.10). */
export interface HealthDataRow {
  /** The resource's name in aggregate queries, such as `sleep` or `heartrate`. */
  resource: string
  /** The values, keyed by column. Times are local, without an offset, such as `2025-02-17T23:10:00`. */
  values: Readonly<Record<string, string | number | null>>
}

/** A user's connection to a provider, with the details that the service stores. */
export interface StoredConnection {
  /** The provider's slug. */
  provider: string
  /** The provider's id for the user. */
  provider_id?: string
  /** The granted OAuth scopes, or null if none are stored. */
  oauth_scopes?: readonly string[] | null
}

/**
 * Functions that do what the specified endpoints cannot, such as adding and inspecting data. Omit functions that you
 * cannot provide; the cases that need them are skipped.
 */
export interface Setup extends CatalogueSteps {
  /** Whether the service creates a team for any unknown API key, as a mock server can. Default: false. */
  openKeys?: boolean
  /** Returns the id of a user whose insurance, info and connections may be changed. */
  user?(): Awaitable<string>
  /** Returns a user's stored info, or null if none is stored. */
  userInfo?(userId: string): Awaitable<unknown>
  /** Returns a user's stored insurance records, oldest first. */
  insurances?(userId: string): Awaitable<readonly unknown[]>
  /** Returns a user's connections, in any order. */
  connections?(userId: string): Awaitable<readonly StoredConnection[]>
  /** Returns the payor codes of at least two insurance companies. Default: the suite's own codes. */
  payorCodes?(): Awaitable<readonly string[]>
  /** Returns the providers' slugs, keyed by `source_type`. */
  sourceTypes?(): Awaitable<Readonly<Record<string, readonly string[]>>>
  /** Returns the id of a user whose imports fail. Each call returns a different user. */
  unimportableUser?(): Awaitable<string>
  /** Returns the service's current time, such as `2025-06-01T09:00:00Z`. */
  now?(): Awaitable<string>
  /** Signs in with a sign-in token, as a mobile SDK does, and returns the id of the signed-in user. */
  signIn?(token: string): Awaitable<string>
  /** Adds health data for a user. Deletes the user's existing rows of the same resources first. */
  addHealthData?(userId: string, rows: readonly HealthDataRow[]): Awaitable<unknown>
  /** Returns the id of a bookable order, which belongs to `userId` if given. Each call returns a different order. */
  order?(userId?: string): Awaitable<string>
  /** Returns a booking key that is still valid and produces the requested outcome. */
  bookingKey?(ending: BookingScenario): Awaitable<string>
  /** Advances the service's time. */
  advance?(milliseconds: number): Awaitable<unknown>
  /** Connects a user to a provider. */
  connect?(userId: string, provider: string): Awaitable<unknown>
  /** Returns a completed order with results, as the API returns it. */
  completedOrder?(): Awaitable<unknown>
  /** Creates a team with the given settings. */
  team?(like: TeamSettings): Awaitable<OtherTeam>
  /** Makes the service send an event of the given type about a user. */
  trigger?(type: string, userId: string): Awaitable<unknown>
  /** Returns every event sent to the team, oldest first. */
  events?(): Awaitable<readonly unknown[]>
}

/** The name of a function in {@link Setup}. */
export type Need = Exclude<keyof Setup, 'openKeys'>

/** What each setup function provides, for use in messages. */
export const needs: Record<Need, string> = {
  user: 'a user of the team',
  userInfo: "a user's stored info (no specified endpoint returns it)",
  insurances: "a user's stored insurance records (no specified endpoint returns them)",
  connections: "a user's connections (no specified endpoint returns them)",
  payorCodes: 'payor codes',
  sourceTypes: 'the providers of each source_type (the specification does not define the values)',
  unimportableUser: 'a user whose imports fail (the specification does not say why imports fail)',
  now: "the service's time",
  signIn: 'sign-in with a token (only the mobile SDKs support it)',
  addHealthData: 'a way to add health data',
  order: 'an order that can be booked',
  bookingKey: 'booking keys that produce a given outcome',
  advance: "control of the service's time",
  connect: 'a way to connect a user to a provider',
  lab: 'a way to add a lab with markers and lab tests',
  labAccount: 'lab accounts',
  completedOrder: 'an order with results',
  team: 'other teams with their own settings',
  trigger: 'events on demand',
  events: 'the events sent to the team',
}

/** A marker to add to a lab: a marker's fields (specification 2.5) except `id` and `lab_id`, plus a test code. */
export interface MarkerOffer {
  /** The marker's name. */
  name: string
  /** A lower-case identifier. */
  slug: string
  /** What the marker measures. */
  description: string
  /** The provider's identifier for the marker. */
  provider_id: string
  /** The type, such as `biomarker`. */
  type: string
  /** The result's unit. */
  unit: string | null
  /** A decimal string, or null if no price is available; responses may then contain a placeholder. */
  price: string | null
  /** The lab's test code, by which markers can be filtered (specification 4.4). */
  test_code: string
  /** The results that the marker is expected to produce. */
  expected_results: readonly ExpectedResultOffer[]
}

/** A marker's expected result (specification 2.5), without `lab_id`. */
export interface ExpectedResultOffer {
  /** The id of the expected result. */
  id: number
  /** The result's name. */
  name: string
  /** A lower-case identifier. */
  slug: string
  /** The provider's identifier for the result. */
  provider_id: string
  /** The result's LOINC entry. */
  loinc: {
    /** The entry's id. */
    id: number
    /** The observation's name. */
    name: string
    /** A lower-case identifier. */
    slug: string
    /** The LOINC code. */
    code: string
    /** The observation's unit. */
    unit: string | null
  }
}

/** A lab to add to the catalogue. */
export interface LabOffer {
  /** The markers that the lab offers. */
  markers: readonly MarkerOffer[]
  /** The lab's tests, each as a list of markers. */
  tests: readonly (readonly MarkerOffer[])[]
}

/** A lab added to the catalogue. */
export interface AddedLab {
  /** The lab's id. */
  id: number
  /** The lab's slug. */
  slug: string
  /** The ids of the markers, in the given order. */
  markers: readonly number[]
  /** The ids of the at-home phlebotomy lab tests, in the given order. */
  tests: readonly string[]
}

/** Setup functions that prepare the catalogue. */
export interface CatalogueSteps {
  /** Adds a lab with markers and lab tests to the catalogue. Each lab receives a unique id and slug. */
  lab?(offer: LabOffer): Awaitable<AddedLab>
  /** Returns the id of a lab account that may order from every lab, no lab, or the given labs. */
  labAccount?(labs: 'all' | 'none' | readonly number[]): Awaitable<string>
}
