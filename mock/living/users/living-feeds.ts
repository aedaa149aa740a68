import { versionTime } from '../../state/clock/time.ts'
import type { ValuePort } from '../../state/ports.ts'
import type { Feed } from '../arrivals/feed.ts'
import { latestVersion } from '../arrivals/moments.ts'
import { devicesOf } from '../devices/devices.ts'
import { type LifeFacts, personOf } from './people.ts'

/** A living user, as stored in snapshots. */
export interface LivingUser extends LifeFacts {
  /** The user's id. */
  user_id: string
  /** Whether the entry still applies. A change to the user's facts adds an entry. */
  isCurrent: boolean
  /** Whether the user was deleted. A deleted user's data can no longer be read. */
  isDeleted: boolean
}

/** A living user's connection, as stored in snapshots. */
export interface LivingConnection {
  /** The user's index in the snapshot's `users`. */
  user: number
  /** The provider's slug. */
  provider: string
  /** The start time, as a Unix timestamp in milliseconds. */
  from: number
  /** The end time, as a Unix timestamp in milliseconds, or null while the connection exists. */
  to: number | null
}

/** @param previous The feed of the user's previous connection to the same provider. */
export function makeFeed(
  number: number,
  { provider, from, to }: LivingConnection,
  { user_id: userId, ...facts }: LivingUser,
  team: ValuePort,
  previous: Feed | undefined,
): Feed {
  const person = personOf(userId, facts, team)
  return {
    number,
    userId,
    person,
    provider,
    devices: devicesOf(person, [provider]),
    random: team.random.fork(`feed/${userId}/${provider}`),
    from,
    updatedFrom: previous ? versionTime(from, latestVersion(previous, from)) : from,
    to: to ?? Number.POSITIVE_INFINITY,
  }
}
