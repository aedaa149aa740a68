import type { Random } from '../reference-data/random.ts'

export interface Identity {
  /** The team number, starting at 1 for each mock. */
  ordinal: number
  seed: string
  /** Returns the base URL for links in responses and events. */
  linkBase: () => string
  /** Reports an error from a scheduled event or delivery that no request or test is waiting for. */
  report: (error: unknown) => void
  hooks: () => TeamHooks
}

/** The hooks that a mock's server sets for its teams. */
export interface TeamHooks {
  /** Called after each team change that affects the snapshot. */
  onChange?: () => void
  /** Whether webhooks may call other machines. */
  allowsRemoteWebhooks?: boolean
}

export function teamId({ random }: { random: Random }): string {
  return random.fork('team_id').uuid()
}
