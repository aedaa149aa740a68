import type { Awaitable } from './steps/awaitable.ts'
import type { CatalogueSteps } from './steps/catalogue.ts'
import type { HealthDataSteps } from './steps/health-data.ts'

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

/**
 * Functions that prepare the service for cases, where the specification has no call for it. Omit those that you cannot
 * offer: the cases that need them are skipped.
 */
export interface Setup extends CatalogueSteps, HealthDataSteps {
  /** Whether the service creates a team for every unknown API key, as a served mock may. Default: false. */
  openKeys?: boolean
  /** Returns the id of a user whose insurance, info and connections may be changed. */
  user?(): Awaitable<string>
  /** Returns the id of an order whose phlebotomy can be booked; another one on each call. */
  order?(): Awaitable<string>
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
  order: 'an order that can be booked',
  bookingKey: 'booking keys for a given outcome',
  advance: "control of the service's time",
  connect: 'a connection of a user to a provider',
  lab: 'a lab with given markers and lab tests',
  labAccount: 'lab accounts',
  rows: 'rows of health data',
  completedOrder: 'an order with results',
  team: 'other teams with their own settings',
  trigger: 'events on demand',
  events: 'the events that were sent to the team',
}
