import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest'
import {
  type DailyDataEvent,
  type DedupeStore,
  type EventHandlerOptions,
  type EventReceiver,
  eventHandler,
  memoryStore,
  nodeEventHandler,
  type ServiceEvent,
} from '../../src/events/index.ts'
import { delivery, secret } from '../support/signed.ts'

const user_id = '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55'
const sleep = { event_type: 'daily.data.sleep.created', user_id, data: { data: [] } }

/** A handler that writes down what it does. */
function receiver(options: Partial<EventHandlerOptions> = {}) {
  const handled: string[] = []
  const errors: unknown[] = []
  const receive = eventHandler({
    secrets: secret,
    on: {
      'daily.data.sleep.created': (event, { id }) => {
        expectTypeOf(event).toExtend<DailyDataEvent<'sleep'>>()
        handled.push(`sleep ${id}`)
      },
    },
    fallback: (event: ServiceEvent, { id }) => {
      handled.push(`${event.event_type} ${id}`)
    },
    onError: (error) => errors.push(error),
    ...options,
  })
  return { receive, handled, errors }
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

/** A store that another process is about to finish a message in. */
function busy(): DedupeStore {
  const store = memoryStore()
  store.claim('msg_1', 'another process')
  return store
}

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

it('reports that a body is not JSON without quoting it', async () => {
  const { receive, errors } = receiver()
  await receive(await delivery('{"patient'))
  expect(errors).toEqual([
    expect.objectContaining({
      code: 'event_invalid',
      path: '',
      message: 'Expected the event to be JSON.',
    }),
  ])
})

it('reports that the nesting of a body is too deep', async () => {
  const { receive, errors } = receiver()
  await receive(await delivery('['.repeat(1001)))
  expect(errors).toEqual([
    expect.objectContaining({ message: 'Expected an event of at most 1000 levels of nesting.' }),
  ])
})

it('reports that the body of a request was read before', async () => {
  const { receive, errors } = receiver()
  const request = await delivery(sleep)
  await request.text()
  await receive(request)
  expect(errors).toEqual([
    expect.objectContaining({
      code: 'body_parsed',
      message:
        'Expected a request whose body has not been read. Call the handler before anything else reads the body, or pass it request.clone().',
    }),
  ])
})

it('reports that another reader read the stream of a request of node:http', async () => {
  const errors: unknown[] = []
  const handler = nodeEventHandler({
    ...{ secrets: secret, on: {}, fallback: () => {} },
    onError: (error) => errors.push(error),
  })
  const request = Readable.from(['{}'])
  await request.toArray()
  const response = { statusCode: 0, setHeader: () => {}, end: vi.fn() }
  await handler(Object.assign(request, { method: 'POST', headers: {} }), response)
  expect(response.statusCode).toBe(500)
  expect(errors).toEqual([expect.objectContaining({ code: 'body_parsed' })])
})

it('works without onError', async () => {
  const receive = eventHandler({ secrets: secret, on: {}, fallback: () => {} })
  expect((await receive(await delivery('{'))).status).toBe(400)
})

it('ignores errors of onError', async () => {
  const { receive } = receiver({
    onError: () => {
      throw new Error('logger away')
    },
  })
  expect((await receive(await delivery('{'))).status).toBe(400)
})

it('rejects invalid secrets and a missing fallback when it is created', () => {
  // An environment variable may be missing.
  for (const secrets of ['', 'secret', 'whsec_', [], [secret, ''], undefined as never]) {
    const rejected = expect.objectContaining({ code: 'secret_invalid' })
    expect(() => receiver({ secrets })).toThrow(rejected)
  }
  // A caller without types may leave it out.
  expect(() => eventHandler({ secrets: secret, on: {} } as never)).toThrow(
    /Expected fallback to be a function/,
  )
})

it('responds 200 when the store fails after a message was handled', async () => {
  const failure = new Error('store away')
  const dedupe = { claim: () => 'claimed', finish: () => Promise.reject(failure), release() {} }
  const { receive, handled, errors } = receiver({ dedupe })
  expect((await receive(await delivery(sleep))).status).toBe(200)
  expect(handled).toHaveLength(1)
  expect(errors).toEqual([failure])
})

/** Marks messages as handled. */
function finish(store: DedupeStore, ids: readonly string[]): void {
  for (const id of ids) {
    store.claim(id, 'token')
    store.finish(id, 'token')
  }
}

it('remembers at least as many messages as its option says, and at most twice as many', () => {
  const store = memoryStore(2)
  finish(store, ['a', 'b', 'c', 'd', 'e'])
  const claims = ['a', 'b', 'c', 'd', 'e'].map((id) => store.claim(id, 'token'))
  expect(claims).toEqual(['claimed', 'claimed', 'done', 'done', 'done'])
})

it('remembers a message while its signature is valid, however many follow', async () => {
  const dedupe = memoryStore()
  const { receive, handled } = receiver({ dedupe })
  const message = await delivery(sleep)
  const replay = message.clone()
  await receive(message)
  finish(
    dedupe,
    Array.from({ length: 100_000 }, (_, nth) => `msg_${nth + 2}`),
  )
  expect(await (await receive(replay)).text()).toBe('Already handled')
  expect(handled).toHaveLength(1)
})

it('remembers a message for 28 hours, and forgets it later', () => {
  const hour = 60 * 60 * 1000
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const store = memoryStore(1_000_000)
  vi.advanceTimersByTime(27 * hour)
  finish(store, ['old'])
  for (let passed = 1; passed <= 28; passed += 1) {
    vi.advanceTimersByTime(hour)
    finish(store, [`after ${passed} hours`])
    expect(store.claim('old', 'token')).toBe('done')
  }
  vi.advanceTimersByTime(28 * hour)
  finish(store, ['later'])
  expect(store.claim('old', 'token')).toBe('claimed')
})

describe('on node:http', () => {
  it('handles deliveries', async () => {
    const handled: string[] = []
    const fallback = (_: ServiceEvent, { id }: { id: string }) => {
      handled.push(id)
    }
    const server = createServer(nodeEventHandler({ secrets: secret, on: {}, fallback }))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { headers, method } = await delivery(sleep)
    const send = () =>
      fetch(`http://127.0.0.1:${port}/`, { method, headers, body: JSON.stringify(sleep) })
    expect((await send()).status).toBe(200)
    expect((await send()).status).toBe(200)
    server.closeAllConnections()
    server.close()
    expect(handled).toEqual(['msg_1'])
  })

  it.each([
    ['text', JSON.stringify(sleep)],
    ['bytes', Buffer.from(JSON.stringify(sleep))],
  ])('accepts the %s of a raw body parser', async (_, body) => {
    const { headers } = await delivery(sleep)
    const sent = { statusCode: 0, headers: [] as string[], text: '' }
    const response = Object.assign(sent, {
      setHeader: (name: string, value: string) => sent.headers.push(`${name}: ${value}`),
      end: (text: string) => {
        sent.text = text
      },
    })
    const request = {
      method: 'POST',
      headers: Object.fromEntries(headers),
      body,
      [Symbol.asyncIterator]: async function* () {},
    }
    await nodeEventHandler({ secrets: secret, on: {}, fallback: () => {} })(request, response)
    expect(sent).toMatchObject({
      statusCode: 200,
      headers: ['content-type: text/plain'],
      text: 'Handled',
    })
  })

  it('treats a request without a method as GET', async () => {
    const told = { statusCode: 0, setHeader: () => {}, end: () => {} }
    const request = { headers: {}, [Symbol.asyncIterator]: async function* () {} }
    await nodeEventHandler({ secrets: secret, on: {}, fallback: () => {} })(request, told)
    expect(told.statusCode).toBe(405)
  })

  it('says what to do after a body parser', async () => {
    const errors: { message: string }[] = []
    const handle = nodeEventHandler({
      secrets: secret,
      on: {},
      fallback: () => {},
      onError: (error) => errors.push(error as Error),
    })
    const told = { statusCode: 0, setHeader: () => {}, end: () => {} }
    const request = {
      method: 'POST',
      headers: {},
      body: sleep,
      [Symbol.asyncIterator]: async function* () {},
    }
    await handle(request, told)
    expect(told.statusCode).toBe(500)
    expect(errors[0]?.message).toMatch(/express\.raw.* before any JSON parser/)
  })
})
