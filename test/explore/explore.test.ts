import { expect, it } from 'vitest'
import { type ExploreOptions, explore } from '../../mock/explore.ts'
import { type OrderInput, ServiceClient, ServiceError } from '../../src/index.ts'

const patient = {
  first_name: 'Jane',
  last_name: 'Doe',
  dob: '1980-02-29',
  gender: 'female',
  email: 'j@example.com',
  phone_number: '+16025550100',
}
const order: OrderInput = {
  user_id: '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55',
  patient_details: patient,
  patient_address: {
    first_line: '1 Main Street',
    city: 'Phoenix',
    state: 'AZ',
    zip: '85004',
    country: 'US',
  },
}

it('smoke', async () => {
  const options: ExploreOptions<{ client: ServiceClient; db: Map<string, string> }> = {
    setup: ({ connection }) => ({
      client: new ServiceClient(connection),
      db: new Map<string, string>(),
    }),
    scenario: async ({ client, db, team }) => {
      const lab_test_ids = [team.catalogue.labTests.list()[0]!.id]
      for (let i = 0; i < 2; i++) {
        try {
          const { order: o } = await client.orders.create({ ...order, order_set: { lab_test_ids } })
          db.set(o.id, 'created')
          return
        } catch (e) {
          if (i === 1) throw e
        }
      }
    },
    check: ({ db }) => ({ stored: { orders: [...db.keys()] } }),
    invariants: { unsafeRetries: false },
    budget: { runs: 100 },
  }
  const t = performance.now()
  await explore(options).catch((e) => console.log(e.message, e.cause))
  console.log(performance.now() - t)
})
