import type { UserInfo } from '../../../src/contract/users.ts'
import { deepFreeze } from '../../base/deep-freeze.ts'
import { withLazyField } from '../../base/lazy-field.ts'
import { makeUserInfo } from '../../data/people.ts'
import { dateTime } from '../clock/time.ts'
import type { RecordContext } from './record-context.ts'

/** A user of the team. */
export interface User {
  /** The id of the user, a UUID. */
  user_id: string
  /** Null while the service knows nothing about the person (specification 4.2). */
  info: UserInfo | null
  /** Virtual time, ISO 8601. */
  created_at: string
}

/** A user to create. Omitted fields are generated. */
export interface UserInput {
  /** A UUID. Default: a random one. */
  user_id?: string
  /** Omitted fields are generated; null creates a user without personal data. */
  info?: Partial<UserInfo> | null
}

/** Makes a user, with a person who is generated at the first reading unless `info` is null. */
export function makeUser({ user_id, info }: UserInput, { random, clock }: RecordContext): User {
  const id = user_id ?? random.uuid()
  const user: User = { user_id: id, info: null, created_at: dateTime(clock.moment) }
  if (info === null) return user
  const makeInfo = () => deepFreeze({ ...makeUserInfo(random.fork(`user/${id}`)), ...info })
  return withLazyField(user, 'info', makeInfo)
}
