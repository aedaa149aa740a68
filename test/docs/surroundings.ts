import { createMock } from '../../mock/index.ts'
import { serve } from '../../mock/server/server.ts'
import { durable } from '../../src/durable/index.ts'
import { type ConnectionRecipe, mean, past, query, ServiceClient } from '../../src/index.ts'
import { memoryStore } from '../../src/stores/index.ts'
import { insuranceBody, insuredBody, orderBody, recipe } from '../support/bodies.ts'
import { secret, delivery as signed } from '../support/signed.ts'

/** The base URLs of the service and of a mock server in examples. */
export const addresses = { service: 'https://api.example.com', served: 'http://127.0.0.1:4010' }

/** Returns the variables that examples in doc comments use without declaring them, new for each example. */
export async function surroundings({ isBooked }: { isBooked: boolean }) {
  const mock = createMock({ baseUrl: addresses.service })
  const team = mock.team()
  const { apiKey, baseUrl } = team.connection()
  const client = new ServiceClient(team.connection())
  const { user_id } = team.users.create()
  team.connections.create({ user_id, provider: 'oura' })
  const { id: orderId } = team.orders.create({ user_id })
  if (isBooked) team.appointments.create({ order_id: orderId })
  const [labTest] = team.catalogue.labTests.list()
  if (!labTest) throw new Error('The catalogue has no lab test.')
  const request = {
    timeframe: past(7, 'day', '2025-06-01'),
    queries: [query(mean('sleep', 'score'))],
  } as const
  const { patient_details, patient_address } = orderBody(labTest.id)
  const connections: ConnectionRecipe[] = [recipe(user_id)]
  return {
    ...{
      mock,
      team,
      client,
      apiKey,
      baseUrl,
      user_id,
      userId: user_id,
      userIds: [user_id],
      orderId,
    },
    ...{ labTestId: labTest.id, connections, recipes: connections, booking_key: 'bk_confirm' },
    ...{ insured: insuredBody(), patient_details, patient_address, provider: 'oura', request },
    result: await client.aggregate.query(user_id, request),
    ...{ on: {}, fallback: () => {}, save: (..._: unknown[]) => {}, secrets: secret },
    delivery: await signed({ event_type: 'labtest.order.created', user_id, data: {} }),
    ...{ basket: orderBody(labTest.id, { user_id }), insurance: insuranceBody() },
    writes: durable(client, { store: memoryStore() }),
    // A connection to Postgres without tables, and one to Redis.
    pool: { connect: async () => {}, query: async () => ({ rows: [] }) },
    redis: { sendCommand: async () => null },
    app: { post: (_path: string, _respond: (context: { req: { raw: Request } }) => unknown) => {} },
  }
}

/** Routes `fetch` at both URLs to the mock, and writes an archive to the folder; returns a function that ends both. */
export async function inPlace(): Promise<() => Promise<void>> {
  const server = await serve(createMock({ clock: 'auto' }), { port: 0 })
  const { apiKey } = server.mock.defaultTeam
  process.env['SERVICE_API_KEY'] = apiKey
  const { client, userId, request } = await surroundings({ isBooked: false })
  await (await client.aggregate.queryParquet(userId, request)).save('archive.tar.gz')
  const platform = globalThis.fetch
  globalThis.fetch = (input, init) => {
    const sent = new Request(input, init)
    if (!sent.url.startsWith('http://127.0.0.1:4010')) {
      const isOfService = sent.url.startsWith(addresses.service)
      return isOfService ? server.mock.fetch(sent) : platform(sent)
    }
    const url = sent.url.replace(addresses.served, server.url)
    return platform(new Request(url, sent))
  }
  return async () => {
    globalThis.fetch = platform
    await server.close()
  }
}
