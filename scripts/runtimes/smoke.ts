import { ExploreError, explore } from '../../mock/explore.ts'
import { createMock } from '../../mock/index.ts'
import { EventError, isUnknownEvent, parseEvent, verifyEvent } from '../../src/events/index.ts'
import {
  type ConnectionRecipe,
  InternalServerError,
  mean,
  past,
  query,
  RequestValidationError,
  rows,
  ServiceClient,
} from '../../src/index.ts'
import { instrument } from '../../src/otel.ts'
import { tables } from '../../src/parquet/index.ts'
import { insuranceInput, userInfo } from '../../test/support/samples.ts'

function start() {
  const team = createMock({ seed: 42, now: '2025-06-01T09:00:00Z' }).team()
  const client = new ServiceClient({ ...team.connection(), dangerouslyAllowBrowser: true })
  return { team, client, userId: team.users.create().user_id }
}

const nights = {
  timeframe: past(30, 'day', '2025-06-01'),
  queries: [query(mean('sleep', 'score'))],
} as const

const recipe = (user_id: string): ConnectionRecipe => ({
  user_id,
  provider_id: 'id-at-the-provider',
  access_token: 'access',
  refresh_token: 'refresh',
  expires_at: 2_147_483_647,
})

/** The checks use only features that all platforms share. */
const checks: Record<string, () => Promise<boolean>> = {
  async 'users.updateInfo and createSignInToken'() {
    const { client, userId } = start()
    const { first_name } = await client.users.updateInfo(userId, userInfo)
    const { user_id } = await client.users.createSignInToken(userId)
    return first_name === userInfo.first_name && user_id === userId
  },

  async 'insurance.create'() {
    const { client, userId } = start()
    const { company } = await client.insurance.create(userId, insuranceInput)
    return company.name !== ''
  },

  async 'link.listProviders and deleteConnection'() {
    const { team, client, userId } = start()
    team.connections.create({ user_id: userId, provider: 'oura' })
    const providers = await client.link.listProviders()
    const { success } = await client.link.deleteConnection(userId, 'oura')
    return providers.some(({ slug }) => slug === 'oura') && success
  },

  async 'link.bulkImportAll'() {
    const { team, client } = start()
    const recipes = Array.from({ length: 250 }, () => recipe(team.users.create().user_id))
    const report = await client.link.bulkImportAll('oura', recipes, {
      batchSize: 100,
      waitForCompletion: true,
    })
    return report.imported === 250 && team.connections.list().length === 250
  },

  async 'labTests.listMarkers, page by page'() {
    const { client } = start()
    const { total } = await client.labTests.listMarkers({ size: 1 })
    const ids = new Set<number>()
    for await (const { id } of client.labTests.listMarkers({ size: 20 })) ids.add(id)
    return ids.size === total && ids.size > 40
  },

  async 'labTests.list'() {
    const { client } = start()
    const { data } = await client.labTests.list()
    const { markers } = await client.labTests.listTestMarkers(data[0]?.id ?? '')
    return markers.length > 0
  },

  async 'orders.bookPhlebotomyAppointment, with virtual time'() {
    const { team, client } = start()
    const { id } = team.orders.create()
    const { status } = await client.orders.bookPhlebotomyAppointment(id, {
      booking_key: 'bk_confirm_after_300s',
      async_confirmation: true,
      sync_confirmation_timeout_millisecond: 1000,
    })
    await team.clock.advance('5m')
    const later = await client.orders.getPhlebotomyAppointment(id)
    return status === 'pending' && later.status === 'confirmed'
  },

  async 'orders.downloadRequisition'() {
    const { team, client } = start()
    const pdf = await client.orders.downloadRequisition(team.orders.create().id)
    return (await pdf.bytes())[0] === '%'.charCodeAt(0)
  },

  async 'summaries.list'() {
    const { client, userId } = start()
    const dates = { start_date: '2025-05-01', end_date: '2025-05-31' }
    const summaries = await client.summaries.list(userId, 'sleep', dates)
    return JSON.stringify(summaries).includes(userId)
  },

  async 'aggregate.query'() {
    const { client, userId } = start()
    const { results } = await client.aggregate.query(userId, nights)
    return rows(results[0]).length === 1
  },

  async 'aggregate.queryParquet'() {
    const { client, userId } = start()
    const { results } = await client.aggregate.query(userId, nights)
    const found: unknown[] = []
    for await (const table of tables(await client.aggregate.queryParquet(userId, nights))) {
      for await (const row of table.rows()) found.push(row.mean)
    }
    return found.length === 1 && found[0] === results[0].table.mean?.[0]
  },

  async 'an error of the service, with its outcome'() {
    const { team, client } = start()
    const order = team.orders.create()
    const error: unknown = await client.orders
      .bookPhlebotomyAppointment(order.id, { booking_key: 'bk_fail' })
      .catch((reason) => reason)
    if (!(error instanceof InternalServerError)) return false
    return error.outcome === 'unknown' && !error.message.includes(order.id)
  },

  async 'an invalid request, which is not sent'() {
    const { client } = start()
    const error = await client.users.createSignInToken('nobody').catch((reason) => reason)
    return error instanceof RequestValidationError && error.outcome === 'not-sent'
  },

  async 'events, verified and parsed'() {
    // The Standard Webhooks test vector.
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const body = '{"test": 2432232314}'
    const now = new Date(1_614_265_330_000)
    const { id } = await verifyEvent(body, headers, secret, { now })
    const changed = await verifyEvent(`${body} `, headers, secret, { now }).catch((error) => error)
    const event = parseEvent({ event_type: 'lab.moved', data: {} })
    return id === headers['webhook-id'] && changed instanceof EventError && isUnknownEvent(event)
  },

  async 'OpenTelemetry spans'() {
    const { team } = start()
    const client = new ServiceClient(
      instrument({ ...team.connection(), dangerouslyAllowBrowser: true }),
    )
    return (await client.link.listProviders()).length > 0
  },

  async 'a retry of a read, and an aborted call'() {
    const { team, client } = start()
    team.faults.add({
      on: 'link.listProviders',
      when: { first: 1 },
      then: { status: 503, retryAfter: 0 },
    })
    const { response } = await client.link.listProviders().withResponse()
    const reason = new Error('enough')
    const rejected = await client.link
      .listProviders({}, { signal: AbortSignal.abort(reason) })
      .catch((error) => error)
    return response.attempts.length === 2 && Object(rejected).reason === reason
  },

  async explore() {
    const { userId } = start()
    const error = await explore({
      setup: ({ connection }) => ({
        client: new ServiceClient({ ...connection, dangerouslyAllowBrowser: true }),
      }),
      scenario: async ({ client }) => {
        const create = () => client.insurance.create(userId, insuranceInput)
        await create().catch(create)
      },
      budget: { runs: 10 },
      print: () => {},
    }).catch((reason) => reason)
    return error instanceof ExploreError && error.violation === 'doubled'
  },
}

/** Returns the number of checks. */
export async function smoke(): Promise<number> {
  for (const [name, check] of Object.entries(checks)) {
    const isPassed = await check().catch((error) => {
      throw new Error(`${name}: ${error}`, { cause: error })
    })
    if (!isPassed) throw new Error(`${name}: failed`)
  }
  return Object.keys(checks).length
}
