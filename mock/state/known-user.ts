import { MockError } from '../errors.ts'

export interface UserLookup {
  get(userId: string): object | undefined
}

/** @throws {MockError} `unknown_record` if the team has no such user. */
export function checkUser(userId: string, users: UserLookup): void {
  if (users.get(userId)) return
  throw new MockError('unknown_record', `No user has the id '${userId}'. Create the user first.`)
}
