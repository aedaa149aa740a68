import type { OperationId } from '../../contract/operations.ts'
import { assertEqual, assertRejected } from '../assertions.ts'
import type { RequestFields } from '../http.ts'
import type { TestedService } from '../service.ts'
import type { InvalidBody } from './invalid-bodies.ts'

/** Reads what the setup can read of a user. */
async function readUser(service: TestedService, userId: string): Promise<Record<string, unknown>> {
  return {
    info: service.offers('userInfo') ? await service.userInfo(userId) : null,
    insurances: service.offers('insurances') ? await service.insurances(userId) : [],
    connections: service.offers('connections') ? await service.connections(userId) : [],
  }
}

/** Reads what the setup can read of several users. */
export function readUsers(service: TestedService, users: readonly string[]): Promise<unknown[]> {
  return Promise.all(users.map((user) => readUser(service, user)))
}

/** Asserts that an action changes nothing that the setup can read of a user. */
export async function assertUnchanged(
  service: TestedService,
  userId: string,
  action: () => Promise<void>,
  input: string,
): Promise<void> {
  const before = await readUser(service, userId)
  await action()
  const after = await readUser(service, userId)
  for (const [name, value] of Object.entries(after)) {
    assertEqual(value, before[name], `the ${name} of the user after ${input}`)
  }
}

/** Asserts that an operation of a user rejects every body, and that none of them changes the user. */
export async function assertBodiesRejected(
  service: TestedService,
  operation: OperationId,
  userId: string,
  bodies: readonly InvalidBody[],
): Promise<void> {
  const params: RequestFields['params'] = { user_id: userId }
  const sendAll = async () => {
    for (const { input, body } of bodies) {
      assertRejected(await service.call(operation, { params, body }), input)
    }
  }
  await assertUnchanged(service, userId, sendAll, 'rejected requests')
}
