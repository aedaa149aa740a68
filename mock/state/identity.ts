import type { Random } from '../reference-data/random.ts'

/** What distinguishes a team from the other teams of its mock. */
export interface Identity {
  /** The number of the team, from 1 for the mock's first team. */
  ordinal: number
  /** The seed of the team's random generator. */
  seed: string
  /** Returns the base URL of the links in responses and events. */
  linkBase: () => string
  /** Reports errors of due events and deliveries that neither a request nor a test waits for. */
  report: (error: unknown) => void
  /** Returns what the server of the mock sets. */
  hooks: () => TeamHooks
}

/** What the server of a mock sets for its teams. */
export interface TeamHooks {
  /** Called after a change of the team that its snapshot contains. */
  onChange?: () => void
  /** Whether any webhook may be on another machine. */
  allowsRemoteWebhooks?: boolean
}

/** Returns the id of a team, a UUID. */
export function teamId({ random }: { random: Random }): string {
  return random.fork('team_id').uuid()
}
