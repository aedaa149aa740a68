import { describe, expect, it } from 'vitest'
import { createMock, type Fault, type FaultEffect } from '../../../mock/index.ts'
import { type DriftEvent, mean, past, query, ServiceClient } from '../../../src/index.ts'
import { tables } from '../../../src/parquet/index.ts'
import { insuranceBody, userId, userInfoBody } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'
import { fc } from '../../support/properties.ts'

const providers = 'GET /v2/providers'
const everyDrift = ['unknown_values', 'extra_fields', 'nulls', 'missing_fields'] as const

/** The statuses of so many requests. */
async function statuses(team: Parameters<typeof call>[0], route: string, count: number) {
  const found: number[] = []
  for (let at = 0; at < count; at += 1) found.push((await call(team, route)).status)
  return found
}

describe('the requests that a fault affects', () => {
  it.each([
    [undefined, [503, 503, 503, 503]],
    [{ first: 2 }, [503, 503, 200, 200]],
    [{ nth: 3 }, [200, 200, 503, 200]],
    [{ probability: 0 }, [200, 200, 200, 200]],
    [{ probability: 1 }, [503, 503, 503, 503]],
  ] as const)('%j', async (when, expected) => {
    const team = createMock().team()
    team.faults.add({ on: 'link.listProviders', then: { status: 503 }, ...(when ? { when } : {}) })
    expect(await statuses(team, providers, 4)).toEqual(expected)
  })

  it('are counted per operation', async () => {
    const team = createMock().team()
    team.faults.add({ on: '*', when: { nth: 2 }, then: { status: 503 } })
    const found: number[] = []
    for (const route of [providers, 'GET /v3/lab_tests', 'GET /v3/lab_tests', providers]) {
      found.push((await call(team, route)).status)
    }
    expect(found).toEqual([200, 200, 503, 503])
  })

  it('are those of a namespace', async () => {
    const team = createMock().team()
    team.faults.add({ on: 'link.*', then: { status: 503 } })
    expect((await call(team, providers)).status).toBe(503)
    expect((await call(team, 'GET /v2/link/bulk_op')).status).toBe(503)
    expect((await call(team, 'GET /v3/lab_tests')).status).toBe(200)
  })

  it('are those within a period of virtual time', async () => {
    const team = createMock({ now: '2025-06-01T09:00:00Z' }).team()
    team.faults.add({
      during: { from: '2025-06-01T10:00:00Z', until: '2025-06-01T11:00:00Z' },
      then: { status: 503 },
    })
    const found: number[] = []
    for (let hour = 9; hour < 12; hour += 1) {
      found.push((await call(team, providers)).status)
      await team.clock.advance('1h')
    }
    expect(found).toEqual([200, 503, 200])
  })

  it('are the same random ones whatever other operations are called', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 20 }), async (others) => {
        const fault: Fault = {
          on: 'link.listProviders',
          when: { probability: 0.4 },
          then: { status: 503 },
        }
        const [plain, mixed] = [createMock().team(), createMock().team()]
        plain.faults.add(fault)
        mixed.faults.add(fault)
        const expected = await statuses(plain, providers, others.length)
        const found: number[] = []
        for (const other of others) {
          if (other) await call(mixed, 'GET /v3/lab_tests/markers?size=1')
          found.push((await call(mixed, providers)).status)
        }
        expect(found).toEqual(expected)
      }),
      { numRuns: 25 },
    )
  })
})

describe('a fault', () => {
  it('responds with a status and a Retry-After in seconds or as a date in virtual time', async () => {
    const team = createMock({ now: '2025-06-01T09:00:00Z' }).team()
    const { remove } = team.faults.add({ then: { status: 429, retryAfter: '90s' } })
    expect((await call(team, providers)).headers.get('retry-after')).toBe('90')
    remove()
    team.faults.add({ then: { status: 503, retryAfter: '90s', retryAfterAs: 'date' } })
    const { headers } = await call(team, providers)
    expect(headers.get('retry-after')).toBe('Sun, 01 Jun 2025 09:01:30 GMT')
  })

  it('sends null as a body', async () => {
    const team = createMock().team()
    team.faults.add({ then: { status: 500, body: null } })
    expect(await call(team, providers)).toMatchObject({ status: 500, body: null })
  })

  it.each([204, 205, 304])('responds with %i without a body', async (status) => {
    const team = createMock().team()
    const { remove } = team.faults.add({ then: { status, body: { detail: 'none' } } })
    team.faults.add({ then: 'cut_mid_body' })
    const { apiKey, baseUrl, fetch } = team.connection()
    const headers = { 'x-service-api-key': apiKey }
    const ask = () => fetch(`${baseUrl}/v2/providers`, { headers })
    const response = await ask()
    expect([response.status, response.body, response.headers.get('content-type')]).toEqual([
      status,
      null,
      null,
    ])
    expect(team.journal.last()?.response).toMatchObject({ status, body: undefined })
    remove()
    team.override('link.listProviders', () => ({ status }))
    expect(await ask()).toMatchObject({ status, body: null })
  })

  it('delays a request in virtual time', async () => {
    const team = createMock().team()
    const before = team.clock.now().getTime()
    team.faults.add({ when: { first: 1 }, then: { latency: '25s' } })
    expect((await call(team, providers)).status).toBe(200)
    expect(team.clock.now().getTime() - before).toBe(25_000)
  })

  it('limits the rate in windows of virtual time', async () => {
    const team = createMock().team()
    team.faults.add({ then: { rateLimit: { requests: 2, per: '1m' } } })
    expect(await statuses(team, providers, 3)).toEqual([200, 200, 429])
    await team.clock.advance('59s')
    expect((await call(team, providers)).headers.get('retry-after')).toBe('1')
    await team.clock.advance('1s')
    expect(await statuses(team, providers, 3)).toEqual([200, 200, 429])
  })

  it('limits the rate from now on after time went back', async () => {
    const team = createMock().team()
    const before = team.snapshot()
    team.faults.add({ then: { rateLimit: { requests: 1, per: '1m' } } })
    await team.clock.advance('5h')
    expect(await statuses(team, providers, 2)).toEqual([200, 429])
    team.restore(before)
    expect((await call(team, providers)).status).toBe(200)
    expect((await call(team, providers)).headers.get('retry-after')).toBe('60')
  })

  it.each(['refuse_connection', 'cut_before_response'] as const)(
    'has no effect in the service with %s',
    async (then) => {
      const team = createMock().team()
      team.faults.add({ when: { first: 1 }, then })
      await expect(
        call(team, `POST /v2/user/${userId}/insurance`, insuranceBody()),
      ).rejects.toThrow('fetch failed')
      expect(team.insurances.list()).toEqual([])
    },
  )

  it('commits and then loses the response', async () => {
    const team = createMock().team()
    const client = new ServiceClient(team.connection())
    team.faults.add({ on: 'insurance.create', then: 'lose_response' })
    const error = await client.insurance.create(userId, insuranceBody()).catch((reason) => reason)
    expect(error).toMatchObject({ code: 'connection_failed', outcome: 'unknown' })
    expect(team.insurances.list({ user_id: userId })).toHaveLength(1)
    expect(team.journal.lines()).toEqual(['insurance.create lost'])
    expect(team.journal.last()?.changes.map(({ collection }) => collection)).toContain('insurances')
  })

  it('cuts a body, and the client retries a read-only call', async () => {
    const team = createMock().team()
    team.faults.add({ when: { first: 1 }, then: 'cut_mid_body' })
    const client = new ServiceClient(team.connection())
    expect(await client.link.listProviders()).not.toEqual([])
    expect(team.journal.lines()).toHaveLength(2)
  })

  it.each([
    ['malformed_json', 'response_invalid'],
    ['html', 'response_invalid'],
    [{ redirect: 'https://elsewhere.test/' }, 'api_error'],
  ] as const)('responds with %j, which the client rejects', async (then, code) => {
    const team = createMock().team()
    team.faults.add({ then: then as FaultEffect })
    const client = new ServiceClient({ ...team.connection(), maxRetries: 0 })
    await expect(client.link.listProviders()).rejects.toMatchObject({ code })
    expect(team.journal.lines()).toHaveLength(1)
  })

  it.each(everyDrift)(
    'drifts with %s, which the strict client accepts in every operation',
    async (drift) => {
      const drifts: DriftEvent[] = []
      const team = createMock().team()
      team.faults.add({ then: { drift } })
      const client = new ServiceClient({
        ...team.connection(),
        hooks: { drift: (event) => drifts.push(event) },
      })
      const { id: orderId } = team.orders.create()
      const [labTest] = team.catalogue.labTests.list()
      await client.users.updateInfo(userId, userInfoBody())
      await client.insurance.create(userId, insuranceBody())
      await client.link.listProviders()
      await client.labTests.listMarkers()
      await client.labTests.listTestMarkers(labTest?.id ?? '')
      await client.labTests.list()
      await client.orders.bookPhlebotomyAppointment(orderId, { booking_key: 'bk_confirm' })
      await client.summaries.list(userId, 'sleep', { start_date: '2025-05-20' })
      if (drift === 'unknown_values' || drift === 'extra_fields') expect(drifts).not.toEqual([])
      expect(new Set(team.journal.requests().map(({ response }) => response?.status))).toEqual(
        new Set([200]),
      )
    },
  )

  it.each([
    ['truncated', 'archive_damaged'],
    ['traversal', 'archive_unexpected'],
    ['bomb', 'archive_too_large'],
    ['bad_footer', 'parquet_invalid'],
  ] as const)(
    'responds with a corrupt archive (%s), which the client rejects',
    async (archive, code) => {
      const team = createMock().team()
      team.faults.add({ on: 'aggregate.queryParquet', then: { archive } })
      const client = new ServiceClient(team.connection())
      const asked = client.aggregate.queryParquet(userId, {
        timeframe: past(1, 'day', '2025-06-01'),
        queries: [query(mean('sleep', 'score'))],
      })
      const read = async () => {
        for await (const table of tables(await asked)) expect(table).toBeUndefined()
      }
      await expect(read()).rejects.toMatchObject({ code, outcome: 'succeeded' })
    },
  )

  it('adds up latencies, and the first fault replaces the service', async () => {
    const team = createMock().team()
    const before = team.clock.now().getTime()
    team.faults.add({ then: { latency: '1s' } })
    team.faults.add({ then: { status: 503 } })
    team.faults.add({ then: { latency: '2s' } })
    team.faults.add({ then: { status: 500 } })
    expect((await call(team, providers)).status).toBe(503)
    expect(team.clock.now().getTime() - before).toBe(3000)
  })
})

it('lists the faults that affected no request', async () => {
  const team = createMock().team()
  const used = team.faults.add({ on: 'link.*', then: { status: 503 } })
  team.faults.add({ on: 'insurance.create', then: 'lose_response' })
  await call(team, providers)
  expect(used.useCount).toBe(1)
  expect(team.faults.unused()).toEqual([{ on: 'insurance.create', then: 'lose_response' }])
  expect(() => team.faults.assertAllUsed()).toThrow(/1 did not.*insurance\.create/)
  team.faults.clear()
  team.faults.assertAllUsed()
})

it.each([
  [{ on: 'link.listProvider', then: 'html' }, 'unknown_operation', /one of .*link\.listProviders/],
  [{ on: 'links.*', then: 'html' }, 'unknown_operation', /Unknown operation 'links\.\*'/],
  [{ then: 'explode' }, 'invalid_option', /fault\.then to be one of refuse_connection/],
  [{ then: { status: 42 } }, 'invalid_option', /fault\.then\.status to be at least 200/],
  [{ then: { latency: '-1s' } }, 'invalid_time', /time span/],
  [{ then: { drift: 'some' } }, 'invalid_option', /fault\.then\.drift to be one of unknown_values/],
  [{ when: { nth: 0 }, then: 'html' }, 'invalid_option', /fault\.when\.nth to be at least 1/],
  [
    { when: { probability: 2 }, then: 'html' },
    'invalid_option',
    /fault\.when\.probability to be at most 1/,
  ],
  [{ during: { from: 'soon' }, then: 'html' }, 'invalid_time', /Expected a time:/],
  [{ during: { from: 2, until: 1 }, then: 'html' }, 'invalid_option', /from to be before/],
  [{ then: { status: 503, latency: 1 } }, 'invalid_option', /exactly one of status, latency/],
  [{ then: { rateLimit: { requests: 1, per: 0 } } }, 'invalid_option', /per to be .* than 0/],
  [
    { then: { latency: 1, jitter: 1 } },
    'invalid_option',
    /Unknown option 'fault\.then\.jitter'\. Use one of latency\./,
  ],
  [{ when: { first: 1, nth: 1 }, then: 'html' }, 'invalid_option', /exactly one of first, nth/],
  [
    { whn: { nth: 1 }, then: 'html' },
    'invalid_option',
    /Unknown option 'whn' in a fault\. Did you mean when\?/,
  ],
  [null, 'invalid_option', /Expected a fault to be an object/],
])('rejects the fault %j', (fault, code, message) => {
  const { faults } = createMock().team()
  // A caller without types may give anything.
  const add = () => faults.add(fault as unknown as Fault)
  expect(add).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }))
})

describe('the number of a fault', () => {
  it('is never used again', () => {
    const { faults } = createMock().team()
    for (const _ of [1, 2]) faults.add({ then: 'html' }).remove()
    expect(faults.add({ then: 'html' }).id).toBe(3)
    faults.clear()
    expect(faults.add({ then: 'html' }).id).toBe(4)
  })

  it('restarts with a reset', () => {
    const team = createMock().team()
    team.faults.add({ then: 'html' })
    team.reset()
    expect(team.faults.add({ then: 'html' }).id).toBe(1)
  })

  it('continues in a reproduction', () => {
    const team = createMock({ seed: 7 }).team()
    for (const _ of [1, 2]) team.faults.add({ then: 'html' })
    team.faults.add({ then: 'html' }).remove()
    const line = team.reproduction()
    const state = JSON.parse(line.slice(line.indexOf('.reproduce(') + '.reproduce('.length, -1))
    const again = createMock({ seed: 7 }).reproduce(state)
    const ids = [team, again].map(({ faults }) => faults.add({ then: 'html' }).id)
    expect(ids).toEqual([4, 4])
  })
})

it('shows the line that added an unused fault', () => {
  const team = createMock().team()
  const addFault = () => team.faults.add({ on: 'insurance.create', then: 'html' })
  addFault()
  expect(() => team.faults.assertAllUsed()).toThrow(
    expect.objectContaining({
      stack: expect.stringMatching(/^MockError: Expected[\s\S]*addFault/),
    }),
  )
})
