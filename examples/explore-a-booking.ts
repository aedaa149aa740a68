/** Finds a bug in a small program, replays it, and searches the corrected program for bugs. */

import assert from 'node:assert/strict'
import { ServiceClient, ServiceError } from 'health-lab-sdk'
import {
  type ExploreContext,
  ExploreError,
  type ExploreOptions,
  explore,
} from 'health-lab-sdk/mock/explore'

interface Clinic {
  client: ServiceClient
  order: string
  bookingKey: string
  /** What the program recorded, by order id: `booked`, `rejected` or `ask a person`. */
  cases: Map<string, string>
}

const careless: ExploreOptions<Clinic> = {
  setup: ({ connection, team }) => ({
    client: new ServiceClient(connection),
    order: team.orders.create().id,
    bookingKey: team.bookings.key(),
    cases: new Map(),
  }),
  scenario: async (context) => {
    await book(context).catch(() => context.cases.set(context.order, 'rejected'))
  },
  check: ({ cases, order, team }) => {
    const isBooked = team.appointments.list({ order_id: order }).length > 0
    assert.ok(
      !(cases.get(order) === 'rejected' && isBooked),
      'a booked visit is recorded as rejected',
    )
  },
  budget: { runs: 150 },
  print: () => {},
}

async function book({ client, order, bookingKey, cases }: ExploreContext<Clinic>): Promise<void> {
  await client.orders.bookPhlebotomyAppointment(order, { booking_key: bookingKey })
  cases.set(order, 'booked')
}

const finding = await explore(careless).catch((error: unknown) => error)
assert.ok(finding instanceof ExploreError)
console.log(finding.message)
await assert.rejects(explore.replay(finding.replay, careless), ExploreError)

/** Does not treat an unknown outcome as a rejection. */
const careful: ExploreOptions<Clinic> = {
  ...careless,
  scenario: async (context) => {
    await book(context).catch((error) => {
      const isRejected = error instanceof ServiceError && error.outcome === 'rejected'
      context.cases.set(context.order, isRejected ? 'rejected' : 'ask a person')
    })
  },
  print: console.log,
}
const { ended } = await explore(careful)
assert.ok(['complete', 'budget'].includes(ended))
