import type { ValuePort } from '../../state/ports.ts'
import type { Feed } from '../arrivals/feed.ts'
import { devicesOf } from '../devices/devices.ts'
import { type LifeFacts, personOf } from './people.ts'

/** A living user, in plain values for snapshots. */
export interface LivingUser extends LifeFacts {
  /** The id of the user. */
  user_id: string
  /** Whether the user lives now. One whose facts changed continues as another living user. */
  isCurrent: boolean
  /** Whether the user was deleted: reads no longer find what arrived. */
  isDeleted: boolean
}

/** A connection of a living user, in plain values for snapshots. */
export interface LivingConnection {
  /** The index of the living user. */
  user: number
  /** The slug of the provider. */
  provider: string
  /** Milliseconds since 1970. */
  from: number
  /** Null while the connection exists. */
  to: number | null
}

/** Returns what a connection of a living user sends, by its number. */
export function makeFeed(
  number: number,
  { provider, from, to }: LivingConnection,
  { user_id: userId, ...facts }: LivingUser,
  team: ValuePort,
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
    to: to ?? Number.POSITIVE_INFINITY,
  }
}
