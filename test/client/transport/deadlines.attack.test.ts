import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type * as api from '../../../src/index.ts'
import { type ClientOptions, ServiceClient, TimeoutError } from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'
import { type Behaviour, scriptedServer } from '../../support/programs/scripted-server.ts'
import { orderId, userId } from '../../support/samples.ts'
import { service, timeframe } from '../attacked-client.ts'

/** Sends a chunk every few milliseconds, without end. */
const drip: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/pdf' })
  const timer = setInterval(() => response.write('drop'), 5)
  response.on('close', () => clearInterval(timer))
}

/** The same as an archive: gzip that does not end. */
const dripArchive: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/vnd.service.tar+gzip+parquet' })
  const archive = gzipSync(Buffer.alloc(1 << 20, 7), { level: 0 })
  let sent = 0
  const timer = setInterval(() => {
    response.write(archive.subarray(sent, sent + 10))
    sent += 10
  }, 5)
  response.on('close', () => clearInterval(timer))
}

beforeAll(async () => {
  // The first call loads the code of calls, which takes a part of its deadline.
  const fetch = async () => Response.json({})
  await new ServiceClient({ ...service, fetch }).request('POST', '/v9')
})

describe('a deadline ends a slow download', () => {
  async function drain(stream: ReadableStream<unknown>) {
    for await (const _ of stream);
  }
  const request = { timeframe, queries: [] }
  it.each<[string, Behaviour, (client: ServiceClient, deadline?: number) => Promise<unknown>]>([
    ['bytes', drip, async (client, deadline) => (await pdf(client, deadline)).bytes()],
    ['stream', drip, async (client, deadline) => drain((await pdf(client, deadline)).stream)],
    ['save', drip, async (client, deadline) => (await pdf(client, deadline)).save('/dev/null')],
    [
      'the stream of an archive',
      dripArchive,
      async (client, deadline) =>
        drain((await client.aggregate.queryParquet(userId, request, { deadline })).stream),
    ],
    [
      'the files of an archive',
      dripArchive,
      async (client, deadline) => {
        const archive = await client.aggregate.queryParquet(userId, request, { deadline })
        for await (const _ of archive.files());
      },
    ],
    [
      'an archive that is saved',
      dripArchive,
      async (client, deadline) => {
        const archive = await client.aggregate.queryParquet(userId, request, { deadline })
        await archive.save('/dev/null')
      },
    ],
  ])('%s', async (_, behaviour, read) => {
    const server = await scriptedServer(behaviour)
    const options = { apiKey: 'key', baseUrl: server.baseUrl }
    const given = failureOf(read(new ServiceClient(options), 150), TimeoutError)
    const wide = failureOf(read(new ServiceClient({ ...options, deadline: 150 })), TimeoutError)
    for (const error of await Promise.all([given, wide])) {
      expect(error.message).toContain('deadline (150 ms)')
      expect(error.outcome).toBe('unknown')
    }
  })

  function pdf(client: ServiceClient, deadline?: number) {
    return client.orders.downloadRequisition(orderId, { deadline })
  }
})

describe('a given deadline or timeout is applied exactly', () => {
  afterEach(() => void vi.useRealTimers())

  const booking = { booking_key: 'key' }
  it.each<[string, number, ClientOptions, api.RequestOptions?]>([
    ['the deadline of the client', 7000, { deadline: 7000 }],
    ['the deadline of a call', 7000, {}, { deadline: 7000 }],
    ['the timeout of a call', 5000, {}, { timeout: 5000 }],
    ['a deadline that ends before the extended timeout', 7000, { timeout: 5000, deadline: 7000 }],
    ['the timeout of the client, extended', 245_000, { timeout: 5000 }],
    ['the defaults, extended', 270_000, {}],
  ])('%s: %i ms', async (_, milliseconds, options, perCall) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
    const started = Promise.withResolvers<void>()
    const fetch = () => {
      started.resolve()
      return new Promise<Response>(() => {})
    }
    const client = new ServiceClient({ ...service, fetch, maxRetries: 0, ...options })
    let isOver = false
    const call = client.orders.bookPhlebotomyAppointment(orderId, booking, perCall)
    const failure = failureOf(call, TimeoutError).finally(() => {
      isOver = true
    })
    await started.promise
    await vi.advanceTimersByTimeAsync(milliseconds - 1)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await failure
  })
})

describe('a late response', () => {
  /** A fetch that listens to no signal, and the moment its response is cancelled. */
  function deafFetch() {
    const asked = Promise.withResolvers<void>()
    const arrives = Promise.withResolvers<Response>()
    const cancelled = Promise.withResolvers<void>()
    const body = new ReadableStream({ cancel: () => cancelled.resolve() })
    return {
      asked: asked.promise,
      cancelled: cancelled.promise,
      arrive: (init?: ResponseInit) => arrives.resolve(new Response(body, init)),
      fetch: () => {
        asked.resolve()
        return arrives.promise
      },
    }
  }

  const sends: [
    string,
    (client: ServiceClient, options: api.RequestOptions) => PromiseLike<unknown>,
  ][] = [
    ['JSON', (client, options) => client.link.listProviders({}, options)],
    ['a download', (client, options) => client.orders.downloadRequisition(orderId, options)],
  ]

  it.each(sends)('after the timeout is cancelled: %s', async (_, send) => {
    const { fetch, arrive, cancelled } = deafFetch()
    const client = new ServiceClient({ ...service, fetch, maxRetries: 0 })
    await failureOf(send(client, { timeout: 10 }), TimeoutError)
    arrive()
    await cancelled
  })

  it.each(sends)('after an abort is cancelled: %s', async (_, send) => {
    const { fetch, arrive, asked, cancelled } = deafFetch()
    const client = new ServiceClient({ ...service, fetch, maxRetries: 0 })
    const controller = new AbortController()
    const call = send(client, { signal: controller.signal })
    await asked
    controller.abort(new Error('left'))
    await expect(call).rejects.toMatchObject({ code: 'aborted', reason: new Error('left') })
    arrive()
    await cancelled
  })

  it.each([
    ['with a length', { headers: { 'content-length': '10' } }],
    ['without a length', {}],
    ['of an error', { status: 500 }],
  ])('is cancelled inside a body %s, also when fetch ignores its signal', async (_, init) => {
    const { fetch, arrive, cancelled } = deafFetch()
    const client = new ServiceClient({ ...service, fetch, maxRetries: 0 })
    arrive(init)
    await failureOf(client.link.listProviders({}, { timeout: 10 }), TimeoutError)
    await cancelled
  })

  it('leaves no socket in use', async () => {
    const asked = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    const server = createServer((_, response) => {
      response.on('close', () => closed.resolve())
      response.writeHead(200, { 'content-type': 'application/pdf' })
      response.write('half')
      asked.resolve()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const isOver = Promise.withResolvers<void>()
    const client = new ServiceClient({
      apiKey: 'key',
      baseUrl: `http://127.0.0.1:${port}`,
      // Such as a wrapper that makes a request of its own and keeps the response for a while.
      fetch: async ({ url }) => {
        const response = await fetch(url)
        await isOver.promise
        return response
      },
      maxRetries: 0,
    })
    const options = { timeout: 50 }
    await failureOf(client.orders.downloadRequisition(orderId, options), TimeoutError)
    await asked.promise
    isOver.resolve()
    await closed.promise
  })
})
