import { MockError } from '../errors.ts'

/**
 * Checks that a value is a team of this process: callers without types may pass any value.
 *
 * @param user The function that needs the team.
 * @throws {MockError} `invalid_option`
 */
export function checkTeam(value: unknown, user: string): void {
  // The journal of a team in another process returns promises.
  if (typeof Object(value).journal?.count === 'number') return
  throw new MockError(
    'invalid_option',
    `${user} needs a Team of createMock(), but got another value. For a team in another process, use \`await team.journal.requests()\`.`,
  )
}
