import { rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createMock, explainTeam } from '../../mock/index.ts'
import { type ClientOptions, ServiceClient, type ServiceError } from '../../src/index.ts'
import { ParquetArchive } from '../../src/parquet/index.ts'
import { runsOf } from '../support/long-tests.ts'
import { fc } from '../support/properties.ts'
import {
  appointment,
  insuranceInput,
  labTestId,
  markerPage,
  orderId,
  recipe,
  userId,
  userInfo,
} from '../support/samples.ts'

/** A secret as it may stand anywhere, as a key too; whatever it looks like, it must never be printed. */
const marker = fc.constantFrom(
  'Zq9secret',
  'zq9_secret',
  'zq9-secret/é',
  '"zq9secret"\n',
  'zq9 secret',
  'zq9.secret@example.com',
)
const core = /zq9.?secret/i

/** Puts a marker into every string of a value, and beside every key. */
function planted(value: unknown, secret: string): unknown {
  if (typeof value === 'string') return `${secret}${value}`
  if (Array.isArray(value)) return value.map((item) => planted(item, secret))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, item]) => [key, planted(item, secret)])
  return Object.fromEntries([...entries, [`${secret} key`, secret], [secret, { [secret]: secret }]])
}

/** Everything that a log could show of an error. */
function shown(error: unknown): string {
  const { message, stack } = error as Error
  return [
    message,
    stack,
    String(error),
    inspect(error, { depth: 9, showHidden: true }),
    inspect(error, { depth: 9, showHidden: true, customInspect: false }),
    inspect({ nested: [error] }, { depth: 9, showHidden: true, getters: true }),
    JSON.stringify(error),
    JSON.stringify({ ...(error as object) }),
    inspect((error as Error).cause, { depth: 9, showHidden: true }),
  ].join('\n')
}

function watched(options: Partial<ClientOptions>, secret: string) {
  const lines: unknown[] = []
  const tell = (...told: unknown[]) => void lines.push(...told)
  const client = new ServiceClient({
    baseUrl: 'https://service.test',
    apiKey: `key${secret.replace(/[^\x21-\x7e]/g, '')}`,
    headers: { 'x-team': encodeURIComponent(secret) },
    maxRetries: 1,
    hooks: { request: tell, response: tell, retry: tell, drift: tell, deprecation: tell },
    logger: { debug: tell, info: tell, warn: tell, error: tell },
    ...options,
  })
  return { client, lines }
}

async function errorOf(call: PromiseLike<unknown>): Promise<ServiceError | undefined> {
  return Promise.resolve(call).then(
    () => undefined,
    (error) => error,
  )
}

function circular(secret: string): object {
  const value: Record<string, unknown> = { secret }
  value[secret] = value
  return value
}

/** One call of every shape, with the marker in whatever the caller may put in. */
function calls(client: ServiceClient, secret: string): PromiseLike<unknown>[] {
  const secretInfo = planted(userInfo, secret) as typeof userInfo
  return [
    client.users.updateInfo(secret.replaceAll('/', ''), {
      ...secretInfo,
      email: 'a@b.co',
      dob: '2000-01-01',
    }),
    client.users.updateInfo(secret, secretInfo),
    client.users.createSignInToken(secret),
    client.insurance.create(userId, planted(insuranceInput, secret) as typeof insuranceInput),
    client.orders.bookPhlebotomyAppointment(orderId, {
      booking_key: secret,
      appointment_notes: secret,
    }),
    client.orders.create({ lab_test_id: secret } as never),
    client.orders.getPhlebotomyAppointment(orderId),
    client.orders.downloadRequisition(orderId),
    client.link.bulkImport({
      provider: secret,
      connections: [{ ...recipe, access_token: secret }],
    }),
    client.link.deleteConnection(userId, secret),
    client.labTests.listMarkers({ name: secret }),
    client.labTests.listTestMarkers(labTestId, { page: 0, lab_account_id: secret }),
    client.aggregate.query(userId, {
      timeframe: { type: 'relative', anchor: secret, past: { unit: secret } },
      queries: [{ select: [{ arg: { [secret]: secret }, func: secret }], where: secret }],
    }),
    client.aggregate.query(userId, {
      timeframe: { type: 'relative', anchor: '2025-06-01', past: { unit: secret } },
      queries: [
        {
          select: [{ arg: { [secret]: secret }, func: secret }],
          group_by: [{ arg: { [secret]: secret } }],
          where: secret,
        },
      ],
    }),
    client.summaries.list(userId, 'sleep', { start_date: '2025-06-01', provider: secret }),
    client.labTests.list({ next_cursor: secret }),
    client.request(secret as never, '/v9'),
    client.request('POST', '/v9', { body: { secret, circular: circular(secret) } }),
    client.request('POST', `/v9/${secret}`, { body: { secret }, query: { secret } }),
    client.request('GET', '/v9/{thing}', { params: { thing: secret } }),
    client.request('GET', '/v9', { query: { [secret]: {} as never } }),
    client.request('GET', '/v9/{thing}', { params: { [secret]: secret } }),
  ]
}

/** Page walks, imports and queries of many users, which keep the call's line for later requests. */
function walks(client: ServiceClient, secret: string): PromiseLike<unknown>[] {
  const imported = client.link.bulkImportAll(secret, [{ ...recipe, access_token: secret }])
  const failed = async () => {
    throw (await imported).failures[0]?.error
  }
  const timeframe = { type: 'relative', anchor: '2025-06-01', past: { unit: 'week' } } as const
  const request = { timeframe, queries: [] }
  const each = async () => {
    for await (const { error } of client.aggregate.queryEach([secret, userId], request)) throw error
  }
  const read = async (items: AsyncIterable<unknown>) => {
    for await (const _ of items);
  }
  return [
    failed(),
    each(),
    read(client.labTests.listMarkers({ name: secret }, { maxPages: 1 })),
    read(client.link.listBulkOps({}).pages()),
  ]
}

function abortedCalls(
  client: ServiceClient,
  secret: string,
  signal: AbortSignal,
): PromiseLike<unknown>[] {
  const drain = async (items: AsyncIterable<unknown>) => {
    for await (const _ of items);
  }
  return [
    client.users.createSignInToken(userId, { signal }),
    client.insurance.create(userId, insuranceInput, { signal }),
    client.orders.waitForAppointment(orderId, { signal }),
    client.orders.bookAndWait(orderId, { booking_key: secret }, { signal }),
    client.link.bulkImportAll(secret, [recipe], { signal }).then(({ failures }) => {
      throw failures[0]?.error
    }),
    drain(client.labTests.listMarkers({ name: secret }, { signal })),
    client.link.listProviders({}, { signal }).asResponse(),
  ]
}

/** Ways to use a call besides awaiting it. */
function otherCalls(client: ServiceClient, secret: string): PromiseLike<unknown>[] {
  const printed = async (response: PromiseLike<Response>) => inspect(await response)
  return [
    client.users.createSignInToken(secret).asResponse(),
    printed(client.insurance.create(userId, insuranceInput).asResponse()),
    client.labTests.listMarkers({ name: secret }).toArray({ limit: 1000 }),
    Promise.resolve(client.labTests.list({ next_cursor: secret })).then((page) => page.nextPage()),
    client.orders.waitForAppointment(orderId, { after: secret }),
    client.orders.bookAndWait(orderId, { booking_key: secret }).then(({ error }) => {
      throw error
    }),
    client.orders.waitForAppointment(orderId, { status: secret }),
  ]
}

async function expectNothingShown(
  options: Partial<ClientOptions>,
  secret: string,
  callsOf = calls,
): Promise<void> {
  const { client, lines } = watched(options, secret)
  const errors = await Promise.all(callsOf(client, secret).map(errorOf))
  for (const error of errors) if (error) expect(shown(error)).not.toMatch(core)
  expect(inspect(lines, { depth: 9, showHidden: true })).not.toMatch(core)
  expect(JSON.stringify(lines)).not.toMatch(core)
}

/** An error of the user's own `fetch`. */
class VaultError extends Error {}

const runs = { numRuns: runsOf(200) }
const fewRuns = { numRuns: runsOf(50) }

describe('never prints planted data', () => {
  it('in responses of any status, body and headers', async () => {
    const bodies = fc.constantFrom<(secret: string) => unknown>(
      (secret) => ({ detail: secret }),
      (secret) => ({
        detail: [
          {
            type: secret,
            loc: ['body', secret, 'address'],
            msg: secret,
            input: secret,
            ctx: { secret },
          },
          {
            type: 'missing',
            loc: ['body', 'address', secret],
            msg: secret,
            input: { [secret]: secret },
          },
          { type: 'value_error', loc: ['path', secret], msg: secret },
          { type: 'value_error', loc: ['body', 'queries', 0, 'group_by', 0, secret, secret] },
          { type: 'value_error', loc: ['body', 'queries', 0, 'select', 0, 'arg', secret] },
          { type: 'value_error', loc: ['body', 'connections', secret, secret] },
          { type: 'value_error', loc: ['query', secret] },
          { type: 'value_error', loc: ['header', secret] },
          { type: 'value_error', loc: secret },
          secret,
        ],
      }),
      (secret) => planted(appointment, secret),
      (secret) => planted(markerPage, secret),
      (secret) => ({ ...markerPage, markers: [planted(markerPage.markers[0], secret)] }),
      (secret) => ({ results: [{ table: { index: [], [secret]: secret } }] }),
      (secret) => ({ [secret]: markerPage }),
      (secret) => [secret],
      (secret) => secret,
    )
    const status = fc.constantFrom(200, 202, 302, 400, 401, 403, 404, 409, 418, 422, 429, 500, 503)
    await fc.assert(
      fc.asyncProperty(marker, bodies, status, async (secret, body, responded) => {
        const headers = {
          'x-secret': encodeURIComponent(secret),
          'retry-after': secret.trim().replace(/[^\x20-\x7e]/g, ''),
          location: `/${encodeURIComponent(secret)}`,
        }
        const fetch = async () => Response.json(body(secret), { status: responded, headers })
        await expectNothingShown({ fetch, maxRetries: 0 }, secret)
        await expectNothingShown({ fetch, maxRetries: 0, validation: 'report' }, secret)
      }),
      runs,
    )
  })

  it('in text that is not JSON', async () => {
    await fc.assert(
      fc.asyncProperty(marker, fc.constantFrom(200, 400, 422, 500), async (secret, status) => {
        const fetch = async () => new Response(`<html>${secret}</html>{"a": ${secret}`, { status })
        await expectNothingShown({ fetch, maxRetries: 0 }, secret)
      }),
      runs,
    )
  })

  it('in errors from fetch', async () => {
    const thrown = fc.constantFrom<(secret: string, request: Request) => unknown>(
      (_, { url, headers }) => new TypeError(`${url} ${JSON.stringify([...headers])}`),
      (_, { url }) => ({ name: url, code: url, message: url }),
      (secret) => Object.assign(new VaultError(secret), { code: 'ECONNRESET' }),
      (secret) => Object.assign(new Error(), { constructor: { name: secret } }),
      (secret) => Object.assign(new Error(secret), { errors: [new Error(secret)], cause: secret }),
      (secret) =>
        new TypeError(`fetch failed ${secret}`, { cause: new Error(`connect ${secret}`) }),
      (secret) =>
        new TypeError('fetch failed', {
          cause: Object.assign(new Error(secret), { code: secret, path: secret }),
        }),
      (secret) => Object.assign(new Error(secret), { name: secret, url: secret }),
      (secret) => secret,
      (secret) => ({ message: secret, toString: () => secret }),
      (secret) => new DOMException(secret, 'AbortError'),
      (secret) => new AggregateError([new Error(secret)], secret),
      () => null,
    )
    await fc.assert(
      fc.asyncProperty(marker, thrown, async (secret, error) => {
        const fetch = async (request: Request) => {
          throw error(secret, request)
        }
        await expectNothingShown({ fetch, maxRetries: 0 }, secret)
      }),
      runs,
    )
  })

  it('in a key function that throws or returns no key', async () => {
    await fc.assert(
      fc.asyncProperty(marker, fc.boolean(), async (secret, throws) => {
        const apiKey = () => {
          if (throws) throw new Error(`vault says ${secret}`)
          return `${secret}\n`
        }
        await expectNothingShown({ apiKey, fetch: async () => Response.json({}) }, secret)
      }),
      runs,
    )
  })

  it('in pagination, imports and queries for many users', async () => {
    await fc.assert(
      fc.asyncProperty(marker, fc.constantFrom(200, 400, 422, 500), async (secret, status) => {
        const page = { ...markerPage, data: [], next_cursor: secret, total: 500, pages: 10 }
        const fetch = async () => Response.json({ ...page, detail: secret }, { status })
        await expectNothingShown({ fetch, maxRetries: 0 }, secret, walks)
      }),
      fewRuns,
    )
  })

  it("in messages with the service's explanation, apart from that explanation", async () => {
    const status = fc.constantFrom(400, 401, 404, 422, 429, 500)
    await fc.assert(
      fc.asyncProperty(marker, status, async (secret, responded) => {
        const body = { detail: 'Not possible', [secret]: secret }
        const fetch = async () => Response.json(body, { status: responded })
        await expectNothingShown({ fetch, maxRetries: 0, exposeDetail: true }, secret)
      }),
      fewRuns,
    )
  })

  it('in hooks and log lines of a client with exposeDetail', async () => {
    await fc.assert(
      fc.asyncProperty(marker, fc.constantFrom(400, 422, 429, 500), async (secret, status) => {
        const fetch = async () => Response.json({ detail: secret }, { status })
        const { client, lines } = watched({ fetch, maxRetries: 0, exposeDetail: true }, secret)
        await Promise.all(calls(client, secret).map(errorOf))
        expect(inspect(lines, { depth: 9, showHidden: true })).not.toMatch(core)
      }),
      fewRuns,
    )
  })

  it('in calls that are aborted, even by their own fetch', async () => {
    await fc.assert(
      fc.asyncProperty(marker, fc.boolean(), async (secret, isEarly) => {
        const controller = new AbortController()
        const reason = Object.assign(new Error(secret), { name: secret, code: secret, [secret]: 1 })
        const fetch = async () => {
          controller.abort(reason)
          throw new DOMException(secret, 'AbortError')
        }
        if (isEarly) controller.abort(secret)
        const callsOf = (client: ServiceClient) => abortedCalls(client, secret, controller.signal)
        await expectNothingShown({ fetch }, secret, callsOf)
      }),
      fewRuns,
    )
  })

  it('in responses from asResponse, other pages, and waits for an appointment', async () => {
    await fc.assert(
      fc.asyncProperty(marker, fc.constantFrom(200, 404, 422, 500), async (secret, status) => {
        const page = { ...markerPage, data: [], next_cursor: secret, total: 500, pages: 10 }
        const body = { ...page, ...appointment, status: secret, detail: secret }
        const fetch = async () => Response.json(body, { status })
        let time = 0
        const sleep = async (milliseconds: number) => {
          time += milliseconds
        }
        const clock = { now: () => time, sleep }
        await expectNothingShown({ fetch, clock, maxRetries: 0 }, secret, otherCalls)
      }),
      fewRuns,
    )
  })

  it('in archives that cannot be read', async () => {
    await fc.assert(
      fc.asyncProperty(marker, async (secret) => {
        const archive = ParquetArchive.from(new TextEncoder().encode(secret))
        expect(shown(await errorOf(archive.files().next()))).not.toMatch(core)
      }),
      fewRuns,
    )
  })

  it("in the explanation of a team, apart from the mock's own reasons", async () => {
    await fc.assert(
      fc.asyncProperty(marker, async (secret) => {
        const team = createMock({ seed: 42 }).team()
        const client = new ServiceClient({ ...team.connection(), maxRetries: 0 })
        await Promise.all([...calls(client, secret), ...walks(client, secret)].map(errorOf))
        const text = explainTeam(team)
        const path = text.slice(text.indexOf('Reproduction: ') + 'Reproduction: '.length)
        const { mode } = statSync(path)
        rmSync(dirname(path), { recursive: true })
        expect(team.journal.count).toBeGreaterThan(10)
        expect(text.replaceAll(/ 4\d\d: .*/g, '')).not.toMatch(core)
        expect(text).not.toContain(team.apiKey)
        expect(mode & 0o077).toBe(0)
        expect(inspect(team, { depth: 9 })).not.toMatch(core)
      }),
      { numRuns: 6 },
    )
  })

  it('in the lines that common loggers receive', async () => {
    const status = fc.constantFrom(200, 400, 422, 429, 500)
    await fc.assert(
      fc.asyncProperty(marker, status, fc.boolean(), async (secret, answered, fieldsFirst) => {
        const lines: unknown[] = []
        const write = (...line: unknown[]) => void lines.push(...line)
        const methods = { debug: write, info: write, warn: write, error: write }
        const logger = { ...methods, ...(fieldsFirst ? { child: write, bindings: write } : {}) }
        const fetch = async () =>
          Response.json({ detail: secret, [secret]: 1 }, { status: answered })
        const options = { fetch, logger, logLevel: 'debug', maxRetries: 1, exposeDetail: true }
        const { client } = watched({ ...options, hooks: {} } as ClientOptions, secret)
        await Promise.all(calls(client, secret).map(errorOf))
        expect(lines.length).toBeGreaterThan(0)
        expect(inspect(lines, { depth: 9, showHidden: true })).not.toMatch(core)
      }),
      { numRuns: 10 },
    )
  })

  it.each([
    { apiKey: 'zq9secret\n', baseUrl: 'https://service.test' },
    { apiKey: 'key', baseUrl: 'https://zq9secret:zq9secret@service.test' },
    { apiKey: 'key', baseUrl: 'zq9secret' },
    { apiKey: 'key', baseUrl: 'https://service.test?zq9secret' },
    { apiKey: 'key', baseUrl: 'https://service.test', headers: { 'x-a': 'zq9secret\n' } },
    { apiKey: 'key', baseUrl: 'https://service.test', headers: { 'zq9 secret': 'a' } },
    { apiKey: 'key', baseUrl: 'https://service.test', timeout: 'zq9secret' as never },
  ])('in invalid options (%#)', (options) => {
    let error: unknown
    try {
      new ServiceClient(options)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(Error)
    expect(shown(error)).not.toMatch(core)
  })
})

it('prints no key when the client or a call is printed', async () => {
  const { client } = watched({ fetch: async () => Response.json([]) }, 'Zq9secret')
  const call = client.link.listProviders({ source_type: 'Zq9secret' })
  for (const value of [client, call, client.link]) {
    expect(inspect(value, { depth: 9, showHidden: true, getters: true })).not.toMatch(core)
    expect(JSON.stringify(value)).not.toMatch(core)
  }
  await call
})

it('keeps the whole response for the program', async () => {
  const detail = [{ type: 'missing', loc: ['body', 'dob'], msg: 'Zq9secret', input: null }]
  const fetch = async () =>
    Response.json({ detail }, { status: 422, headers: { 'x-trace': 'Zq9secret' } })
  const { client } = watched({ fetch }, 'Zq9secret')
  const error = await errorOf(client.users.updateInfo('user', userInfo))
  expect(error).toMatchObject({ detail, body: { detail } })
  expect((error as unknown as { headers: Headers }).headers.get('x-trace')).toBe('Zq9secret')
  expect(error?.message).toContain('body.dob (missing)')
})
