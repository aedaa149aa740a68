/** How a booking is to end, `after` so many milliseconds of the service's time; at once without. */
export interface BookingEnding {
  outcome: 'confirm' | 'fail' | 'never'
  after?: number
}

/** What another team must be like. */
export interface TeamLike {
  /** The team's time, where the service's can be set. */
  now?: string
  linkMigration?: 'enabled' | 'disabled'
  /** Providers with an OAuth credential of the team. */
  oauthCredentials?: readonly string[]
  /** Milliseconds that an import takes for each connection. */
  importTime?: number
  /** The mode of the mobile SDKs. */
  sdkMode?: 'auto_connect' | 'explicit'
}

/** Another team of the same service. */
export interface OtherTeam {
  apiKey: string
  setup: Setup
}

/** At once, or in a promise. */
export type Given<T> = T | Promise<T>

/**
 * What a case may need and no call of the specification gives. Leave out what you cannot offer: the cases that need it
 * are skipped and say so.
 */
export interface Setup {
  /** Whether the service makes a team of any key, as a served mock may; no key is then a wrong one. Default: false. */
  openKeys?: boolean
  /** The id of a user of the team, whose insurance, info and connections may be changed. */
  user?(): Given<string>
  /** The id of an order whose phlebotomy can be booked; another one at each call. */
  order?(): Given<string>
  /** A booking key whose booking ends so; another one at each call. */
  bookingKey?(ending: BookingEnding): Given<string>
  /** Lets so many milliseconds of the service's time pass. */
  advance?(milliseconds: number): Given<unknown>
  /** Connects a user to a provider. */
  connect?(userId: string, provider: string): Given<unknown>
  /** A lab account that may order from every lab, or from none. */
  labAccount?(labs: 'all' | 'none'): Given<string>
  /** Completes an order, so that it has results; what an answer would carry of it. */
  completedOrder?(): Given<unknown>
  /** A team that is like this. */
  team?(like: TeamLike): Given<OtherTeam>
  /** Makes the service emit an event of a type, about a user. */
  trigger?(type: string, userId: string): Given<unknown>
  /** Every event that the team was sent, the oldest first. */
  events?(): Given<readonly unknown[]>
}

/** The name of something that a setup offers. */
export type Need = Exclude<keyof Setup, 'openKeys'>

/** What to offer, in words. */
export const needs: Record<Need, string> = {
  user: 'a user of the team',
  order: 'an order that can be booked',
  bookingKey: 'booking keys whose bookings end as asked',
  advance: "the service's time in our hands",
  connect: 'a connection of a user to a provider',
  labAccount: 'lab accounts',
  completedOrder: 'an order with results',
  team: 'another team with settings of its own',
  trigger: 'events on demand',
  events: 'the events that the team was sent',
}
