import { expect, it } from 'vitest'
import {
  type DedupeStore,
  type EventHandlerOptions,
  type EventReceiver,
  memoryStore,
} from '../../src/events/index.ts'
import { delivery } from '../support/signed.ts'
import { receiver, sleep, user_id } from './receiver.ts'

/** A store that another process is about to finish a message in. */
function busy(): DedupeStore {
  const store = memoryStore()
  store.claim('msg_1', 'another process')
  return store
}

it('calls the listener of the type, otherwise the fallback', async () => {
  const { receive, handled } = receiver()
  const events = [
    sleep,
    { ...sleep, event_type: 'daily.data.body.created' },
    { event_type: 'new.one' },
  ]
  for (const [at, event] of events.entries()) {
    expect((await receive(await delivery(event, { id: `m${at}` }))).status).toBe(200)
  }
  expect(handled).toEqual(['sleep m0', 'daily.data.body.created m1', 'new.one m2'])
})

it('calls the fallback for a type whose listener is undefined', async () => {
  // Compilers without exactOptionalPropertyTypes accept it.
  const on = { 'daily.data.sleep.created': undefined } as never
  const { receive, handled } = receiver({ on })
  expect((await receive(await delivery(sleep))).status).toBe(200)
  expect(handled).toEqual(['daily.data.sleep.created msg_1'])
})

it('responds with 200 to a duplicate and calls no listener', async () => {
  const { receive, handled } = receiver()
  expect((await receive(await delivery(sleep))).status).toBe(200)
  expect((await receive(await delivery(sleep))).status).toBe(200)
  expect(handled).toEqual(['sleep msg_1'])
})

it('calls the listener once for two concurrent deliveries, which get the same response', async () => {
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  let runs = 0
  const { receive } = receiver({
    on: {},
    fallback: async () => {
      runs += 1
      await gate
    },
  })
  const deliveries = [receive(await delivery(sleep)), receive(await delivery(sleep))]
  // Both are verified and wait for the one run.
  for (let turn = 0; turn < 500; turn += 1) await new Promise(setImmediate)
  release()
  expect((await Promise.all(deliveries)).map(({ status }) => status)).toEqual([200, 200])
  expect(runs).toBe(1)
})

it('responds with 500 when a listener throws, and handles the next delivery', async () => {
  let runs = 0
  const { receive, errors } = receiver({
    on: {},
    fallback: () => {
      runs += 1
      if (runs === 1) throw new Error('database away')
    },
  })
  expect((await receive(await delivery(sleep))).status).toBe(500)
  expect((await receive(await delivery(sleep))).status).toBe(200)
  expect((await receive(await delivery(sleep))).status).toBe(200)
  expect([runs, errors]).toEqual([2, [new Error('database away')]])
})

it('responds 503 while another process handles the message', async () => {
  const store = memoryStore()
  store.claim('msg_1', 'another process')
  const { receive, handled } = receiver({ dedupe: store })
  expect((await receive(await delivery(sleep))).status).toBe(503)
  store.release('msg_1', 'another process')
  expect((await receive(await delivery(sleep))).status).toBe(200)
  expect(handled).toHaveLength(1)
})

it.each([
  ['GET', async () => new Request('https://receiver.test/'), 405],
  [
    'no signature',
    async () => new Request('https://receiver.test/', { method: 'POST', body: '{}' }),
    401,
  ],
  ['another secret', () => delivery(sleep, { key: 'whsec_AAAA' }), 401],
  ['an old message', () => delivery(sleep, { at: new Date(Date.now() - 301_000) }), 401],
  ['a body that is not JSON', () => delivery('{'), 400],
  ['a known event that is malformed', () => delivery({ ...sleep, data: null }), 400],
  ['a large body', () => delivery({ ...sleep, padding: 'x'.repeat(5000) }), 413],
])('responds to %s with %s', async (_, request, status) => {
  const { receive, handled } = receiver({ maxBytes: 4000 })
  const response = await receive(await request())
  expect(response.status).toBe(status)
  expect(await response.text()).not.toContain(user_id)
  expect(handled).toEqual([])
})

it.each<
  [
    string,
    Partial<EventHandlerOptions>,
    (receive: EventReceiver) => Promise<Response>,
    number,
    string,
  ]
>([
  ['GET', {}, (receive) => receive(new Request('https://receiver.test/')), 405, 'Expected POST'],
  [
    'a large body',
    { maxBytes: 10 },
    async (receive) => receive(await delivery(sleep)),
    413,
    'The body is too large',
  ],
  ['a first delivery', {}, async (receive) => receive(await delivery(sleep)), 200, 'Handled'],
  [
    'a duplicate',
    {},
    async (receive) => {
      await receive(await delivery(sleep))
      return receive(await delivery(sleep))
    },
    200,
    'Already handled',
  ],
  [
    'what another process handles',
    { dedupe: busy() },
    async (receive) => receive(await delivery(sleep)),
    503,
    'Already in progress',
  ],
  [
    'a store that is away',
    {
      dedupe: {
        ...memoryStore(),
        claim: () => Promise.reject(new Error('store away')),
      },
    },
    async (receive) => receive(await delivery(sleep)),
    500,
    'Not handled',
  ],
  [
    'a listener that throws',
    {
      on: {},
      fallback: () => {
        throw new Error('database away')
      },
    },
    async (receive) => receive(await delivery(sleep)),
    500,
    'Not handled',
  ],
  [
    'a body that is not JSON',
    {},
    async (receive) => receive(await delivery('{')),
    400,
    'event_invalid',
  ],
  [
    'a body that no database accepts',
    {},
    async (receive) =>
      receive(await delivery(`{"event_type":"a","data":${'['.repeat(9000)}${']'.repeat(9000)}}`)),
    400,
    'event_invalid',
  ],
  [
    'another secret',
    {},
    async (receive) => receive(await delivery(sleep, { key: 'whsec_AAAA' })),
    401,
    'signature_invalid',
  ],
  [
    'a request that was read before',
    {},
    async (receive) => {
      const request = await delivery(sleep)
      await request.text()
      return receive(request)
    },
    500,
    'Not handled',
  ],
  [
    'a request without a body',
    {},
    (receive) => receive(new Request('https://receiver.test/', { method: 'POST' })),
    401,
    'signature_missing',
  ],
])('responds in plain text to %s', async (_, options, send, status, text) => {
  const response = await send(receiver(options).receive)
  expect(response.headers.get('content-type')).toBe('text/plain')
  expect([response.status, await response.text()]).toEqual([status, text])
})

it('accepts a body of exactly the largest size', async () => {
  const { length } = JSON.stringify(sleep)
  const { receive, handled } = receiver({ maxBytes: length })
  expect((await receive(await delivery(sleep))).status).toBe(200)
  expect(handled).toHaveLength(1)
})

it('allocates memory for the bytes it receives, not for the largest size', async () => {
  const { receive, handled } = receiver({ maxBytes: Number.MAX_SAFE_INTEGER })
  expect((await receive(await delivery(sleep))).status).toBe(200)
  expect(handled).toHaveLength(1)
})

it('joins the chunks of a body in order', async () => {
  const { headers } = await delivery(sleep)
  const bytes = new TextEncoder().encode(JSON.stringify(sleep))
  const body = new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7))
      controller.close()
    },
  })
  const { receive, handled } = receiver()
  const sent = { method: 'POST', headers, body, duplex: 'half' }
  expect((await receive(new Request('https://receiver.test/', sent))).status).toBe(200)
  expect(handled).toEqual(['sleep msg_1'])
})

it('uses the option tolerance', async () => {
  const old = () => delivery(sleep, { at: new Date(Date.now() - 500_000) })
  expect((await receiver().receive(await old())).status).toBe(401)
  expect((await receiver({ tolerance: 1000 }).receive(await old())).status).toBe(200)
})

it('responds 200 when the store fails after a message was handled', async () => {
  const failure = new Error('store away')
  const dedupe = { claim: () => 'claimed', finish: () => Promise.reject(failure), release() {} }
  const { receive, handled, errors } = receiver({ dedupe })
  expect((await receive(await delivery(sleep))).status).toBe(200)
  expect(handled).toHaveLength(1)
  expect(errors).toEqual([failure])
})
