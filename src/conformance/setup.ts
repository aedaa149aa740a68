import type { Awaitable } from '../shared/adopt.ts'

/** How a booking ends. */
export interface BookingScenario {
  /** `confirm`: the appointment is confirmed; `fail`: the booking fails; `never`: no confirmation comes. */
  outcome: 'confirm' | 'fail' | 'never'
  /** Milliseconds of the service's time until the booking ends. Default: 0. */
  after?: number
}

/** The settings that another team must have. */
export interface TeamSettings {
  /** The team's time as a date-time, if the service's time can be set. */
  now?: string
  /** Whether the team may import connections. */
  linkMigration?: 'enabled' | 'disabled'
  /** The providers for which the team has its own OAuth credential. */
  oauthCredentials?: readonly string[]
  /** Milliseconds that an import takes for each connection. */
  importTime?: number
  /** The connection mode of the mobile SDKs. */
  sdkMode?: 'auto_connect' | 'explicit'
}

/** Another team of the same service. */
export interface OtherTeam {
  /** The team's API key. */
  apiKey: string
  /** The functions that this team offers. */
  setup: Setup
}

/** A row of health data that aggregate queries and summaries read (specification 2.10). */
export interface HealthDataRow {
  /** A resource of aggregate queries, such as `sleep` or `heartrate`. */
  resource: string
  /** By column; times are floating local time, such as `2025-02-17T23:10:00`. */
  values: Readonly<Record<string, string | number | null>>
}

/** A connection of a user to a provider, with what the service knows of it. */
export interface StoredConnection {
  /** The slug of the provider. */
  provider: string
  /** The user's id at the provider. */
  provider_id?: string
  /** The granted OAuth scopes; null if there are none. */
  oauth_scopes?: readonly string[] | null
}

/**
 * Functions that prepare the service for cases, where the specification has no call for it. Omit those that you cannot
 * offer: the cases that need them are skipped.
 */
export interface Setup extends CatalogueSteps {
  /** Whether the service creates a team for every unknown API key, as a served mock may. Default: false. */
  openKeys?: boolean
  /** Returns the id of a user whose insurance, info and connections may be changed. */
  user?(): Awaitable<string>
  /** Returns the stored info of a user; null if the service has none. */
  userInfo?(userId: string): Awaitable<unknown>
  /** Returns the stored insurances of a user, the oldest first. */
  insurances?(userId: string): Awaitable<readonly unknown[]>
  /** Returns the connections of a user, in any order. */
  connections?(userId: string): Awaitable<readonly StoredConnection[]>
  /** Returns two or more payor codes of insurance companies. Default: codes that the suite generates. */
  payorCodes?(): Awaitable<readonly string[]>
  /** Returns the slugs of the providers by `source_type`. */
  sourceTypes?(): Awaitable<Readonly<Record<string, readonly string[]>>>
  /** Returns the id of a user whose imports fail; another one on each call. */
  unimportableUser?(): Awaitable<string>
  /** Returns the service's time as a date-time. */
  now?(): Awaitable<string>
  /** Signs in with a sign-in token, as a mobile SDK does, and returns the id of the signed-in user. */
  signIn?(token: string): Awaitable<string>
  /** Replaces the health data of a user for each resource of the rows. */
  addHealthData?(userId: string, rows: readonly HealthDataRow[]): Awaitable<unknown>
  /** Returns the id of an order whose phlebotomy can be booked, of this user if there is one; another order on each call. */
  order?(userId?: string): Awaitable<string>
  /** Returns a booking key whose booking ends as requested; another one on each call. */
  bookingKey?(ending: BookingScenario): Awaitable<string>
  /** Advances the service's time. */
  advance?(milliseconds: number): Awaitable<unknown>
  /** Connects a user to a provider. */
  connect?(userId: string, provider: string): Awaitable<unknown>
  /** Completes an order, so that it has results, and returns it as a response would contain it. */
  completedOrder?(): Awaitable<unknown>
  /** Creates a team with these settings. */
  team?(like: TeamSettings): Awaitable<OtherTeam>
  /** Makes the service emit an event of a type about a user. */
  trigger?(type: string, userId: string): Awaitable<unknown>
  /** Returns every event that was sent to the team, the oldest first. */
  events?(): Awaitable<readonly unknown[]>
}

/** The name of a function of {@link Setup}. */
export type Need = Exclude<keyof Setup, 'openKeys'>

/** What each function of a setup offers, for messages. */
export const needs: Record<Need, string> = {
  user: 'a user of the team',
  userInfo: 'the stored info of a user, for which the specification has no call',
  insurances: 'the stored insurances of a user, for which the specification has no call',
  connections: 'the connections of a user, for which the specification has no call',
  payorCodes: 'payor codes',
  sourceTypes: 'the providers of each source_type, whose values the specification does not show',
  unimportableUser: 'a user whose imports fail, for which the specification shows no reason',
  now: "the service's time",
  signIn: 'signing in with a token, which only the mobile SDKs do',
  addHealthData: 'health data of its own choice',
  order: 'an order that can be booked',
  bookingKey: 'booking keys for a given outcome',
  advance: "control of the service's time",
  connect: 'a connection of a user to a provider',
  lab: 'a lab with markers and lab tests of its own choice',
  labAccount: 'lab accounts',
  completedOrder: 'an order with results',
  team: 'other teams with their own settings',
  trigger: 'events on demand',
  events: 'the events that were sent to the team',
}

/** A marker to add to a lab: the fields of specification 2.5 without `id` and `lab_id`, and the code of the lab's test. */
export interface MarkerOffer {
  /** The name of the marker. */
  name: string
  /** The identifier in lower case. */
  slug: string
  /** What the marker measures. */
  description: string
  /** The identifier of the marker at its provider. */
  provider_id: string
  /** Such as `biomarker`. */
  type: string
  /** The unit of the result. */
  unit: string | null
  /** A decimal; null when no price is available, and a placeholder is allowed. */
  price: string | null
  /** The code of the lab's test, for the filter of specification 4.4. */
  test_code: string
  /** The results that the marker is expected to have. */
  expected_results: readonly ExpectedResultOffer[]
}

/** An expected result of a marker (specification 2.5), without `lab_id`. */
export interface ExpectedResultOffer {
  /** The id of the expected result. */
  id: number
  /** The name of the result. */
  name: string
  /** The identifier in lower case. */
  slug: string
  /** The identifier of the result at its provider. */
  provider_id: string
  /** The LOINC entry of the result. */
  loinc: {
    /** The id of the entry. */
    id: number
    /** The name of the observation. */
    name: string
    /** The identifier in lower case. */
    slug: string
    /** The LOINC code. */
    code: string
    /** The unit of the observation. */
    unit: string | null
  }
}

/** A lab to add to the catalogue. */
export interface LabOffer {
  /** The markers that the lab offers. */
  markers: readonly MarkerOffer[]
  /** For each lab test of the lab, which of the markers it has. */
  tests: readonly (readonly MarkerOffer[])[]
}

/** A lab that was added to the catalogue. */
export interface AddedLab {
  /** The id of the lab. */
  id: number
  /** The slug of the lab. */
  slug: string
  /** The ids of the markers, in the order of the offer. */
  markers: readonly number[]
  /** The ids of the lab tests, in the order of the offer; phlebotomists collect their samples at home. */
  tests: readonly string[]
}

/** The steps that prepare the catalogue. */
export interface CatalogueSteps {
  /** Adds a lab with markers and lab tests to the catalogue; each lab gets an id and a slug of its own. */
  lab?(offer: LabOffer): Awaitable<AddedLab>
  /** Returns the id of a lab account that may order from every lab, from none, or from these labs. */
  labAccount?(labs: 'all' | 'none' | readonly number[]): Awaitable<string>
}
