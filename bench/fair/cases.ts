import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { apiPath } from '../../mock/control/paths.ts'
import { parquetMediaType } from '../../src/contract/wire.ts'
import type { ServedProcess } from './server-process.ts'

/** A slow request, or a slow sequence of requests. */
export interface FairCase {
  what: string
  /** Prepares the server, and loads the code that the request needs. Returns the function that sends the request. */
  prepare(server: ServedProcess): Promise<() => Promise<unknown>>
}

interface Sent {
  /** A string is sent unchanged. */
  body?: unknown
  accept?: string
  status?: number
}

async function send(
  { url, apiKey }: ServedProcess,
  route: string,
  { body, accept = '*/*', status = 200 }: Sent = {},
): Promise<string> {
  const [method = '', path = ''] = route.split(' ')
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { 'x-service-api-key': apiKey, 'content-type': 'application/json', accept }
  const init = { method, headers, ...(text === undefined ? {} : { body: text }) }
  const response = await fetch(url + path, init)
  const received = await response.text()
  if (response.status === status) return received
  throw new Error(`Expected ${status}, but ${route} got ${response.status}: ${received}`)
}

function control(server: ServedProcess, route: string, sent: Sent = {}): Promise<string> {
  return send(server, route.replace(' ', ` ${apiPath}`), sent)
}

async function createUser(server: ServedProcess, body: object = {}): Promise<string> {
  const { user_id } = JSON.parse(await control(server, 'POST /users', { body }))
  return user_id
}

async function startReceiver(): Promise<string> {
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end())
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  receiver.unref()
  return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
}

const timeframe = { type: 'relative', anchor: '2025-06-01', past: { unit: 'day', value: 30 } }
const minutes = {
  select: ['mean', 'max'].map((func) => ({ arg: { heartrate: 'value' }, func })),
  group_by: [{ date_trunc: { unit: 'minute' }, arg: { index: 'heartrate' } }],
}

/** An expression that is false for every sample. */
function comparisons(count: number): string {
  return Array.from({ length: count }, (_, at) => `value > ${at + 500}`).join(' OR ')
}

function aggregate(what: string, queries: object[], accept = '*/*'): FairCase {
  return {
    what,
    async prepare(server) {
      const body = JSON.stringify({ timeframe, queries })
      const route = (user: string) => `POST /aggregate/v1/user/${user}/query`
      await send(server, route(await createUser(server)), { body, accept })
      const user = await createUser(server)
      return () => send(server, route(user), { body, accept })
    },
  }
}

/** Deliveries to a webhook take much longer than the events themselves. */
function advance(what: string, days: number, hasWebhook: boolean): FairCase {
  return {
    what: `Advancing 20 living users by ${days} days${what}`,
    async prepare(server) {
      for (let user = 0; user < 20; user += 1) await createUser(server, { living: true })
      if (hasWebhook) {
        await control(server, 'POST /webhooks', { body: { url: await startReceiver() } })
      }
      await control(server, 'POST /clock/advance', { body: { by: '1d' } })
      await control(server, 'GET /events?first=1')
      return async () => {
        await control(server, 'POST /clock/advance', { body: { by: `${days}d` } })
        await control(server, 'GET /events')
      }
    },
  }
}

/** Prepares one living user. The request connects ten more users and reads their events. */
function connect(what: string, hasWebhook: boolean): FairCase {
  return {
    what: `Connecting ten living users${what}`,
    async prepare(server) {
      if (hasWebhook) {
        await control(server, 'POST /webhooks', { body: { url: await startReceiver() } })
      }
      await createUser(server, { living: true })
      await control(server, 'GET /events?first=1')
      return async () => {
        for (let user = 0; user < 10; user += 1) await createUser(server, { living: true })
        await control(server, 'GET /events?first=1')
      }
    },
  }
}

function importOf(what: string, recipe: object, count: number, status: number): FairCase {
  const bodyOf = (length: number) =>
    JSON.stringify({ provider: 'oura', connections: Array(length).fill(recipe) })
  return {
    what,
    async prepare(server) {
      const route = 'POST /v2/link/bulk_import'
      await send(server, route, { body: bodyOf(10), status })
      const body = bodyOf(count)
      return () => send(server, route, { body, status })
    },
  }
}

/** Prepares a user who has lived for some days. The request reads the team's data, as the inspector or a test does. */
function readAfter(what: string, days: number, route: (user: string) => string): FairCase {
  return {
    what,
    async prepare(server) {
      const user = await createUser(server, { living: true })
      const other = await createUser(server)
      await control(server, route(other))
      await control(server, 'POST /clock/advance', { body: { by: `${days}d` } })
      return () => control(server, route(user))
    },
  }
}

const recipe = {
  user_id: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  access_token: 'x'.repeat(40),
  refresh_token: 'x'.repeat(40),
  provider_id: 'p',
  expires_at: 2_147_483_647,
}

export const cases: FairCase[] = [
  aggregate(
    'Running 20 queries with 250 comparisons each',
    Array(20).fill({ ...minutes, where: comparisons(250) }),
  ),
  aggregate('Running 2 queries for per-minute values over 30 days', Array(2).fill(minutes)),
  aggregate(
    'Running the same 2 queries with Parquet output',
    Array(2).fill(minutes),
    parquetMediaType,
  ),
  {
    what: 'Listing a year of activity summaries for a new user',
    async prepare(server) {
      const route = (user: string) => `GET /v2/summary/activity/${user}?start_date=2024-06-02`
      await send(server, route(await createUser(server)))
      const user = await createUser(server)
      return () => send(server, route(user))
    },
  },
  connect('', false),
  connect(' with a webhook', true),
  advance(', then listing the events', 60, false),
  advance(' with a webhook', 3, true),
  readAfter(
    'Reading the truth for a living user after 60 days',
    60,
    (user) => `GET /users/${user}/truth`,
  ),
  readAfter('Searching the latest events of a living user', 30, () => 'GET /search?text=heartrate'),
  {
    what: 'Triggering the heart rate event of a new user',
    async prepare(server) {
      const body = (user_id: string) => ({
        event_type: 'historical.data.heartrate.created',
        overrides: { user_id },
      })
      await control(server, 'POST /events', { body: body(await createUser(server)) })
      const user = await createUser(server)
      return () => control(server, 'POST /events', { body: body(user) })
    },
  },
  {
    what: 'Loading the inspector with 20,000 users',
    async prepare(server) {
      const users = Array.from({ length: 20_000 }, () => ({}))
      await control(server, 'POST /seed', { body: { users } })
      const load = async () => {
        await send(server, 'GET /__mock__')
        for (const path of ['/pulse', '/users', '/journal/summaries', '/events']) {
          await control(server, `GET ${path}`)
        }
      }
      return load
    },
  },
  importOf('Importing 35,000 connections', recipe, 35_000, 202),
  importOf('Importing 120,000 invalid connections', {}, 120_000, 422),
  {
    what: 'Rejecting a 64 MB body with too many values',
    async prepare(server) {
      const route = 'PUT /snapshot'
      await control(server, route, { body: {}, status: 400 })
      const body = JSON.stringify({ records: Array(32_000_000).fill(0) })
      return () => control(server, route, { body, status: 413 })
    },
  },
  {
    what: 'Taking and restoring a snapshot of 20,000 users',
    async prepare(server) {
      const users = Array.from({ length: 20_000 }, () => ({}))
      await control(server, 'POST /seed', { body: { users } })
      return async () => {
        const body = await control(server, 'GET /snapshot')
        await control(server, 'PUT /snapshot', { body, status: 204 })
      }
    },
  },
]
