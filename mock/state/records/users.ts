import type { UserInfo } from '../../../src/contract/users.ts'
import { userInfo } from '../../data/people.ts'
import { dateTime } from '../time.ts'
import type { World } from '../world.ts'

/** A user of the team. */
export interface User {
  user_id: string
  /** Null until it is known (specification 4.2). */
  info: UserInfo | null
  created_at: string
}

/** A user to create; what is left out is made up. */
export interface UserInput {
  user_id?: string
  /** What is left out is made up; null for a user of whom nothing is known. */
  info?: Partial<UserInfo> | null
}

export function makeUser({ user_id, info }: UserInput, { random, clock }: World): User {
  const id = user_id ?? random.uuid()
  return {
    user_id: id,
    info: info === null ? null : { ...userInfo(random.fork(`user/${id}`)), ...info },
    created_at: dateTime(clock.moment),
  }
}
