import { Readable } from 'node:stream'
import { afterEach, expect, it } from 'vitest'
import {
  eventHandler,
  nodeEventHandler,
  parseEvent,
  recordsOf,
  signEvent,
  sourceOf,
  verifyEvent,
} from '../../src/events/index.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const added: string[] = []

function add(name: string, value: unknown): void {
  added.push(name)
  Object.defineProperty(Object.prototype, name, { value, writable: true, configurable: true })
}

afterEach(() => {
  for (const name of added.splice(0)) Reflect.deleteProperty(Object.prototype, name)
})

it('rejects an old message even if Object.prototype has a tolerance', async () => {
  const now = new Date('2025-06-01T09:00:00Z')
  const { body, headers } = await signEvent('{}', secret, {
    now: new Date(now.getTime() - 600_000),
  })
  add('tolerance', 100_000)
  await expect(verifyEvent(body, headers, secret, { now })).rejects.toMatchObject({
    code: 'timestamp_invalid',
  })
})

it('signs an event even if Object.prototype has a toJSON', async () => {
  add('toJSON', () => 'another event')
  const { body } = await signEvent({ event_type: 'new.event', user_id: 'user' }, secret)
  expect(body).toBe('{"event_type":"new.event","user_id":"user"}')
})

const sleep = {
  event_type: 'daily.data.sleep.created',
  user_id: 'user',
  data: { source: { provider: 'oura' }, score: 80 },
}

it.each([
  ['type', {}],
  ['name', 1],
  ['length', 'text'],
  ['required', 'text'],
  ['statusText', '\n'],
  ['body', 'text'],
])('handles an event although Object.prototype has %s', async (name, value) => {
  const { body, headers } = await signEvent(sleep, secret)
  const received: unknown[] = []
  const options = { secrets: secret, on: {}, fallback: (event: unknown) => received.push(event) }
  const request = new Request('https://receiver.test', { method: 'POST', headers, body })
  const incoming = Object.assign(Readable.from([Buffer.from(body)]), { method: 'POST', headers })
  const response = { statusCode: 0, setHeader: () => {}, end: () => {} }
  const receive = eventHandler(options)
  const receiveNode = nodeEventHandler(options)
  add(name, value)
  const { status } = await receive(request)
  await receiveNode(incoming, response)
  expect([status, response.statusCode]).toEqual([200, 200])
  expect(received).toEqual([sleep, sleep])
})

it('reads records and sources without the fields of Object.prototype', () => {
  const event = parseEvent(sleep)
  const connection = parseEvent({
    event_type: 'provider.connection.created',
    user_id: 'user',
    data: { source: { slug: 'oura' } },
  })
  const names = ['data', 'type', 'app_id', 'provider']
  for (const name of names) add(name, 'added')
  const records = recordsOf(event)
  const sources = [sourceOf(event), sourceOf(connection)]
  for (const name of added) Reflect.deleteProperty(Object.prototype, name)
  expect(records).toEqual([sleep.data])
  expect(sources).toEqual([
    { provider: 'oura', type: undefined, app_id: undefined },
    { provider: 'oura', type: undefined, app_id: undefined },
  ])
})
