import { createMock, type MockOptions, type Team } from '../../mock/index.ts'
import { type DurableOptions, durable } from '../../src/durable/index.ts'
import { type ClientOptions, ServiceClient } from '../../src/index.ts'
import { memoryStore } from '../../src/stores/index.ts'
import { orderBody } from '../support/bodies.ts'

/** Only a test that hangs reaches it. */
export const waiting = { timeout: 60_000 }

/** A team, a store, and durable writes of any number of processes. */
export function prepare(options: MockOptions = {}) {
  const team = createMock(options).team()
  const store = memoryStore()
  const start = (options: Partial<DurableOptions> = {}, client: ClientOptions = {}) =>
    durable(new ServiceClient({ ...team.connection(), ...client }), { store, ...options })
  const { user_id } = team.users.create()
  const order = orderBody(team.catalogue.labTests.list()[0]?.id ?? '', { user_id })
  return { team, store, start, writes: start(), order, user_id }
}

/** The number of requests of an operation. */
export function requests(
  team: Team,
  operation: 'orders.create' | 'insurance.create' | 'orders.bookPhlebotomyAppointment',
) {
  return team.journal.lines(operation).length
}
