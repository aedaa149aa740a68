import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import { nodeEventHandler } from '../../src/events/index.ts'

/**
 * An event receiver in TypeScript with one of four frameworks: `node receiver.ts --style express --mistake
 * starts-with`. Prints its port. `GET /?user_id=` returns the stored records, and `GET /?failures=1` makes the handling
 * of the next event fail.
 */
const { values } = parseArgs({
  options: { style: { type: 'string', default: 'node' }, mistake: { type: 'string' } },
})
const has = (mistake: string) => values.mistake === mistake
const secret = process.env['RECEIVER_SECRET'] ?? ''

// biome-ignore lint/suspicious/noExplicitAny: events have every shape.
type Json = any
type Head = Record<string, string | string[] | undefined>

const rows = new Map<string, Json>()
const handled: string[] = []
const seen = new Set<string>()
const running = new Map<string, Promise<number>>()
let failures = 0

/** Returns the response status. */
async function receive(head: Head, raw: Buffer | string): Promise<number> {
  const id = String(head['webhook-id'] ?? head['svix-id'] ?? '')
  const body = String(raw)
  if (!isGenuine(id, head, body)) {
    if (has('stores-rejected-later')) setTimeout(() => storeForgery(id, body).catch(() => {}), 40)
    return 401
  }
  let event: Json
  try {
    event = JSON.parse(body)
  } catch {
    return 400
  }
  if (has('rejects-unknown-types') && !/^(daily|historical|provider)[.]/.test(event.event_type)) {
    return 422
  }
  if (values.style === 'fastify') return enqueue(id, event)
  if (seen.has(id)) {
    if (has('handles-duplicates-later')) setTimeout(() => void attempt(id, event), 40)
    return 200
  }
  if (has('marks-before-handling')) seen.add(id)
  if (has('checks-duplicates-in-two-steps')) await pause(2)
  const current = has('checks-duplicates-in-two-steps') ? undefined : running.get(id)
  if (current) return current
  const result = attempt(id, event).then(
    () => 200,
    () => 500,
  )
  running.set(id, result)
  return result.finally(() => running.delete(id))
}

const queue: { id: string; event: Json }[] = []
let isWorking = false

/** The queue keeps messages whose jobs fail. */
function enqueue(id: string, event: Json): number {
  if (!seen.has(id)) queue.push({ id, event })
  seen.add(id)
  if (!isWorking) void work()
  return 202
}

async function work(): Promise<void> {
  isWorking = true
  for (let job = queue[0]; job; job = queue[0]) {
    await pause(3)
    const isDone = await attempt(job.id, job.event).then(
      () => true,
      () => has('drops-failed-jobs'),
    )
    if (isDone) queue.shift()
    else await pause(50)
  }
  isWorking = false
}

async function storeForgery(id: string, body: string): Promise<void> {
  await attempt(id, JSON.parse(body))
}

async function attempt(id: string, event: Json): Promise<void> {
  if (failures > 0) {
    failures -= 1
    throw new Error('the database is down')
  }
  await store(event)
  seen.add(id)
  handled.push(id)
}

async function store({ event_type, user_id, data }: Json): Promise<void> {
  const [, kind, resource] = event_type.split('.')
  if (has('deletes-at-connection-error') && event_type === 'provider.connection.error') {
    for (const [key, row] of rows) if (row.user_id === user_id) rows.delete(key)
  }
  if (kind !== 'data') return
  const { provider = data.source?.slug, type } = data.source ?? {}
  for (const record of data.data) {
    const key = record.id
      ? `${resource} ${record.id}`
      : [user_id, resource, ...(has('omits-the-source') ? [] : [provider, type])].join(' ') +
        record.timestamp
    const known = rows.get(key)
    const isStale = known && Date.parse(known.updated_at) > Date.parse(record.updated_at)
    if (isStale && !has('keeps-the-last-version')) continue
    rows.set(key, { ...record, user_id, provider, ...dayOf(record) })
  }
}

function dayOf({ bedtime_start, bedtime_stop }: Json): Json {
  if (has('day-of-the-start') && bedtime_start) return { calendar_date: bedtime_start.slice(0, 10) }
  if (has('day-of-the-end') && bedtime_stop) return { calendar_date: bedtime_stop.slice(0, 10) }
  return {}
}

function isGenuine(id: string, head: Head, body: string): boolean {
  const [time, given] = ['timestamp', 'signature'].map((name) =>
    String(head[`webhook-${name}`] ?? head[`svix-${name}`] ?? ''),
  )
  if (!id || !given || !/^\d+$/.test(time ?? '')) return false
  const seconds = has('age-of-the-other-name') ? (head['svix-timestamp'] ?? time) : time
  if (Math.abs(Date.now() / 1000 - Number(seconds)) > 300) return false
  const text = has('serializes-again') ? JSON.stringify(JSON.parse(body)) : body
  const key = Buffer.from(secret.slice(6), 'base64')
  const keys = [key, ...(has('decodes-twice') ? [Buffer.from(String(key), 'base64')] : [])]
  const signatures = given.split(' ').slice(0, has('first-signature') ? 1 : undefined)
  return keys
    .map((one) => createHmac('sha256', one).update(`${id}.${time}.${text}`).digest('base64'))
    .some((expected) => signatures.some((one) => isEqual(one, `v1,${expected}`)))
}

function isEqual(given: string, expected: string): boolean {
  if (has('starts-with')) return expected.startsWith(given)
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function stored(query: URLSearchParams): object {
  failures += Number(query.get('failures'))
  return {
    records: [...rows.values()].filter((row) => row.user_id === query.get('user_id')),
    handled,
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

/** The styles, each of which is a framework or a way to handle messages. */
const styles: Record<string, () => Listener | Promise<Listener>> = {
  node: () => async (request, response) => {
    response.statusCode = await receive(request.headers, await readAll(request))
    response.end()
  },
  sdk: () =>
    nodeEventHandler({
      secrets: secret,
      on: {},
      fallback: (event, { id }) => attempt(id, event),
    }),
  express: () => {
    const app = express()
    const limit = has('accepts-100-kB') ? '100kb' : '10mb'
    app.post('/', express.raw({ type: () => true, limit }), async (request, response) => {
      response.sendStatus(await receive(request.headers, String(request.body)))
    })
    return app
  },
  fastify: async () => {
    const app = Fastify({ bodyLimit: 10_485_760 })
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body))
    app.post('/', async ({ headers, body }, reply) => {
      return reply.code(await receive(headers, String(body ?? ''))).send()
    })
    await app.ready()
    return (request, response) => app.routing(request, response)
  },
  hono: () => {
    const app = new Hono()
    app.post('/', async ({ req }) => {
      const head = Object.fromEntries(req.raw.headers)
      return new Response(null, { status: await receive(head, await req.text()) })
    })
    return getRequestListener(app.fetch)
  },
}

const listener = await styles[values.style]?.()
const server = createServer((request, response) => {
  if (request.method === 'POST') return listener?.(request, response)
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
  return response.end(JSON.stringify(stored(searchParams)))
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
