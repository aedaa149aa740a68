import { createServer } from 'node:http'
import { Agent, request as requestOverTls } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { Readable } from 'node:stream'
import { createServer as createTlsServer } from 'node:tls'
import { inspect } from 'node:util'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { eventHandler } from '../../../src/events/index.ts'
import type * as api from '../../../src/index.ts'
import { type ClientOptions, type Hooks, ServiceClient, TimeoutError } from '../../../src/index.ts'
import { instrument } from '../../../src/otel.ts'
import { failureOf } from '../../support/failure.ts'
import {
  type Behaviour,
  respondWith,
  scriptedServer,
} from '../../support/programs/scripted-server.ts'
import {
  insurance,
  insuranceInput,
  labTestId,
  orderId,
  orderInput,
  provider,
  userId,
} from '../../support/samples.ts'
import { secret } from '../../support/signed.ts'
import { json } from '../../support/stub-fetch.ts'
import { hidden, service, timeframe } from '../attacked-client.ts'

describe('a misdirected request (421)', () => {
  it.each<[string, (client: ServiceClient) => PromiseLike<unknown>]>([
    ['insurance.create', (client) => client.insurance.create(userId, insuranceInput)],
    ['orders.create', (client) => client.orders.create(orderInput)],
    ['a request without a body', (client) => client.request('POST', '/v9')],
  ])('is sent once: %s', async (_, send) => {
    const server = await scriptedServer(
      respondWith(421, { detail: 'elsewhere' }),
      respondWith(200, insurance),
    )
    const client = new ServiceClient({ apiKey: 'key', baseUrl: server.baseUrl })
    const error = await failureOf(send(client))
    expect(server.requests).toHaveLength(1)
    expect(error).toMatchObject({ status: 421, outcome: 'rejected', attempts: [{ status: 421 }] })
    expect(server.requests[0]?.headers).not.toHaveProperty('transfer-encoding')
  })

  it('leaves the bytes of a body as they are', async () => {
    const server = await scriptedServer(respondWith(200, insurance))
    const client = new ServiceClient({ apiKey: 'key', baseUrl: server.baseUrl })
    const named = { ...insuranceInput, group_id: 'Ōura – 日本' }
    await client.insurance.create(userId, named)
    const [request] = server.requests
    expect(JSON.parse(request?.body ?? '')).toEqual(named)
    expect(request?.headers['content-length']).toBe(String(Buffer.byteLength(request?.body ?? '')))
  })
})

describe('a request over node:https', () => {
  const keys = { ciphers: 'PSK-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' } as const
  const psk = Buffer.alloc(16, 1)

  const agent = new Agent({
    ...{ ...keys, checkServerIdentity: () => undefined },
    pskCallback: () => ({ psk, identity: 'client' }),
  })

  /** Sends a request as a client of node:https does. */
  async function sendOverHttps(request: Request): Promise<Response> {
    const { url, method } = request
    const body = await request.text()
    return new Promise((_, reject) => {
      requestOverTls(url, { method, agent }).on('error', reject).end(body)
    })
  }

  it('is sent once when a proxy writes plain HTTP into the connection', async () => {
    let count = 0
    let below: Socket | undefined
    const server = createTlsServer({ ...keys, pskCallback: () => psk }, (socket) => {
      socket.on('error', () => {})
      socket.on('data', () => {
        count += 1
        below?.write('HTTP/1.1 502 Bad Gateway\r\n\r\n')
      })
    })
    server.on('connection', (socket) => {
      below = socket
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const client = new ServiceClient({
      ...{ apiKey: 'key', baseUrl: `https://127.0.0.1:${port}`, fetch: sendOverHttps },
    })
    const error = await failureOf(client.insurance.create(userId, insuranceInput))
    expect(error).toMatchObject({
      outcome: 'unknown',
      attempts: [{ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }],
    })
    expect(count).toBe(1)
  })
})

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

/** Runs `act` and returns the unhandled rejections that follow. */
async function unhandledAfter(act: () => Promise<void>): Promise<unknown[]> {
  const unhandled: unknown[] = []
  const listeners = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', (reason) => void unhandled.push(reason))
  try {
    await act()
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
  } finally {
    process.removeAllListeners('unhandledRejection')
    for (const listener of listeners) process.on('unhandledRejection', listener)
  }
  return unhandled
}

describe('an observer changes no call and leaves no unhandled rejection', () => {
  const failure = () => new Error('the observer failed')
  const rejected = () => Promise.reject(failure())
  const observers: [string, () => unknown][] = [
    [
      'throws',
      () => {
        throw failure()
      },
    ],
    ['rejects', rejected],
    ['rejects in another realm', () => runInNewContext('Promise.reject(new Error("elsewhere"))')],
    [
      'returns a thenable that rejects',
      () => ({ then: (_: unknown, no: (e: Error) => void) => no(failure()) }),
    ],
    [
      'returns a thenable that throws',
      () => ({
        then: () => {
          throw failure()
        },
      }),
    ],
    ['returns a thenable that is async and rejects', () => ({ then: rejected })],
    ['returns a getter that throws', () => Object.defineProperty({}, 'then', hidden())],
    ['returns a promise whose catch is broken', () => Object.assign(rejected(), { catch: 5 })],
  ]

  /** Makes calls that notify every hook and both methods of the logger. */
  async function callAll(options: ClientOptions): Promise<void> {
    const responses = [
      json({}, 503, { 'retry-after': '0' }),
      json([{ ...provider, more: 1 }]),
      json({ order: { id: orderId } }),
    ]
    const fetch = async () => responses.shift() ?? json({})
    const client = new ServiceClient({ ...service, fetch, ...options })
    await expect(client.link.listProviders()).resolves.toHaveLength(1)
    await expect(
      client.orders.create({ ...orderInput, lab_test_id: labTestId }),
    ).resolves.toBeDefined()
  }

  it.each(observers)('when it %s', async (_, observer) => {
    const names = ['request', 'response', 'retry', 'drift', 'deprecation'] as const
    const hooks = Object.fromEntries(names.map((name) => [name, observer])) as Hooks
    const options = { hooks, logger: { debug: observer as never, warn: observer as never } }
    const unhandled = await unhandledAfter(async () => {
      await callAll(options)
      await callAll(instrument({ ...service, ...options }))
    })
    expect(unhandled).toEqual([])
  })

  it('when apiKey or onBatch returns a thenable that is async and rejects after its result', async () => {
    const thenable = () => ({
      then: async (resolve: (value: string) => void) => {
        resolve('key')
        throw failure()
      },
    })
    const fetch = async () => json({}, 202)
    const client = new ServiceClient({ ...service, apiKey: thenable as never, fetch })
    const unhandled = await unhandledAfter(async () => {
      const recipe = { user_id: userId, access_token: 'a', refresh_token: 'b', expires_at: 1 }
      const { accepted } = await client.link.bulkImportAll('oura', [recipe as never], {
        onBatch: thenable,
      })
      expect(accepted).toBe(1)
    })
    expect(unhandled).toEqual([])
  })

  it('when the getter of a hook or of the logger throws', async () => {
    const names = ['request', 'response', 'retry', 'drift', 'deprecation']
    const hooks = Object.defineProperties(
      {},
      Object.fromEntries(names.map((name) => [name, hidden()])),
    )
    const logger = Object.defineProperties({}, { debug: hidden(), warn: hidden() })
    await callAll({ hooks, logger })
    await callAll(instrument({ ...service, hooks, logger }))
  })

  it('when what fetch throws has getters that throw', async () => {
    const fetch = async () => {
      throw Object.defineProperties(new Error('lost'), {
        code: hidden(),
        cause: hidden(),
        name: hidden(),
      })
    }
    const client = new ServiceClient({ ...service, fetch, maxRetries: 0 })
    expect((await failureOf(client.link.listProviders())).code).toBe('connection_failed')
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

describe('a body that fails with the error of a connection', () => {
  it.each([
    { code: 'ECONNREFUSED' },
    { code: 'CERT_HAS_EXPIRED' },
    { code: 'ETIMEDOUT', syscall: 'connect' },
    { errors: [{ code: 'ENOTFOUND' }] },
    { code: 'UND_ERR_INVALID_ARG', message: 'invalid connection header' },
  ])('is an unknown outcome, and the request is not sent again: %j', async (fields) => {
    let requests = 0
    const fetch = async () => {
      requests += 1
      const reason = Object.assign(new Error(), fields)
      const body = new ReadableStream({ pull: (controller) => controller.error(reason) })
      return new Response(body, { status: 201 })
    }
    const client = new ServiceClient({ ...service, fetch, clock: { now: () => 0, sleep } })
    const error = await failureOf(client.orders.create(orderInput))
    expect(error).toMatchObject({ code: 'connection_failed', outcome: 'unknown' })
    expect(error.attempts).toMatchObject([{ status: 201 }])
    expect(requests).toBe(1)
  })

  async function sleep() {}
})

describe('a body of empty chunks without end', () => {
  const endless = () =>
    new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array()) })

  it('is an unknown outcome of a call', async () => {
    const client = new ServiceClient({ ...service, fetch: async () => new Response(endless()) })
    const error = await failureOf(client.request('POST', '/v9'))
    expect(error).toMatchObject({ code: 'connection_failed', outcome: 'unknown' })
  })

  it('is a failed download', async () => {
    const client = new ServiceClient({ ...service, fetch: async () => new Response(endless()) })
    const download = await client.orders.downloadRequisition(orderId)
    await failureOf(download.bytes())
  })

  it('is a rejected delivery, and a failed one of a mock', async () => {
    const receive = eventHandler({ secrets: secret, on: {}, fallback() {} })
    const post = (url: string) => {
      const init = { method: 'POST', body: endless(), duplex: 'half' }
      return new Request(url, init as RequestInit)
    }
    await expect(receive(post('https://own.test'))).resolves.toMatchObject({ ok: false })
    const { fetch } = createMock()
    const isAccepted = fetch(post(`${service.baseUrl}/v2/user`)).then(
      ({ ok }) => ok,
      () => false,
    )
    await expect(isAccepted).resolves.toBe(false)
  })
})

describe('a response of a custom fetch that is not a web response', () => {
  const failing = () => {
    throw new TypeError('of a body')
  }
  const bodies: [string, () => unknown][] = [
    ['a Node stream', () => Readable.from(['{}'])],
    ['an object whose cancel throws', () => ({ cancel: failing })],
    ['an object whose cancel returns nothing', () => ({ cancel: () => {} })],
    [
      'a reader whose cancel throws',
      () => ({ getReader: () => ({ read: failing, cancel: failing }) }),
    ],
    ['an object with getters that throw', () => Object.defineProperty({}, 'locked', hidden())],
  ]

  it('is a failed download when its headers are none', async () => {
    const { body } = new Response('%PDF')
    const response = { ok: true, status: 200, headers: { get: () => 5 }, body }
    const client = new ServiceClient({ ...service, fetch: async () => response as never })
    const error = await failureOf(client.orders.downloadRequisition(orderId))
    expect(error).toMatchObject({ code: 'connection_failed', outcome: 'unknown' })
  })

  it.each<[string, (client: ServiceClient) => PromiseLike<unknown>]>([
    ['a download', (client) => client.orders.downloadRequisition(orderId)],
    ['a request', (client) => client.request('POST', '/v9')],
  ])('is not treated as empty when it has no stream: %s', async (_, send) => {
    const response = { status: 200, headers: new Headers(), text: async () => '{"id":1}' }
    const fetch = async () => response as Response
    const error = await failureOf(send(new ServiceClient({ ...service, fetch, maxRetries: 0 })))
    expect(error).toMatchObject({ code: 'connection_failed', outcome: 'unknown' })
  })

  it.each([true, undefined])('is a failure because of its status, even if ok is %s', async (ok) => {
    const response = { ok, status: 404, headers: new Headers(), body: null }
    const client = new ServiceClient({ ...service, fetch: async () => response as never })
    const error = await failureOf(client.request('POST', '/v9'))
    expect(error).toMatchObject({ status: 404, outcome: 'rejected' })
  })

  it('is a success because of its status, even if ok is false', async () => {
    const response = { ok: false, status: 200, headers: new Headers(), body: null }
    const client = new ServiceClient({ ...service, fetch: async () => response as never })
    await expect(client.request('POST', '/v9')).resolves.toBeUndefined()
  })

  it('leaves no unhandled rejection when it is a thenable that is async and rejects', async () => {
    const fetch = () => ({ then: async () => failing() }) as never
    const client = new ServiceClient({ ...service, fetch, maxRetries: 0 })
    const unhandled = await unhandledAfter(async () => {
      const error = await failureOf(client.request('POST', '/v9'))
      expect(error).toMatchObject({ code: 'connection_failed', outcome: 'unknown' })
    })
    expect(unhandled).toEqual([])
  })

  it.each(bodies)('leaves no unhandled rejection: %s', async (_, body) => {
    const fetch = async () => {
      const headers = new Headers()
      return { ok: true, status: 200, headers, body: body() } as unknown as Response
    }
    const client = new ServiceClient({ ...service, fetch, maxRetries: 0 })
    const unhandled = await unhandledAfter(async () => {
      const error = await failureOf(client.request('POST', '/v9'))
      expect(error).toMatchObject({ code: 'connection_failed', outcome: 'unknown' })
    })
    expect(unhandled).toEqual([])
  })

  it.each<unknown>([1n, Symbol('200'), {}, { toString: 1 }, '429', Number.NaN, undefined])(
    'is an unknown outcome when its status is %o',
    async (status) => {
      const response = { ok: false, status, headers: new Headers(), body: null }
      const client = new ServiceClient({ ...service, fetch: async () => response as never })
      const error = await failureOf(client.request('POST', '/v9'))
      expect(error).toMatchObject({ code: 'connection_failed', outcome: 'unknown' })
      expect(error.attempts).toHaveLength(1)
    },
  )

  it('leaves no unhandled rejection when the getter of its body throws', async () => {
    const response = { ok: true, status: 200, headers: new Headers() }
    const fetch = async () => Object.defineProperty(response, 'body', hidden()) as never
    const client = new ServiceClient({ ...service, fetch, maxRetries: 0 })
    const unhandled = await unhandledAfter(
      async () => void (await failureOf(client.link.listProviders())),
    )
    expect(unhandled).toEqual([])
  })
})

describe('possible data is never printed', () => {
  const secret = 'jane@secret.example'

  function observed() {
    const lines: unknown[] = []
    const observe = (...line: unknown[]) => void lines.push(line)
    const hooks = { request: observe, response: observe, retry: observe, drift: observe }
    return { lines, options: { hooks, logger: { debug: observe, warn: observe } } }
  }

  it.each(['x-request-id', 'traceresponse'])('of the response header %s', async (name) => {
    for (const status of [200, 400, 503]) {
      const { lines, options } = observed()
      const fetch = async () => json([], status, { [name]: secret, 'retry-after': '0' })
      const client = new ServiceClient({ ...service, fetch, maxRetries: 1, ...options })
      const error = await Promise.resolve(client.link.listProviders()).catch((reason) => reason)
      expect(inspect([lines, error, JSON.stringify(error)], { depth: 9 })).not.toContain('jane')
    }
  })

  it.each(['req_1_7', '1-5759e988-bd862e3fe1be46a994272793', '00-0af7651916cd43dd-b7ad-01'])(
    'but the request id %s is',
    async (id) => {
      const fetch = async () => json({}, 400, { 'x-request-id': id })
      const client = new ServiceClient({ ...service, fetch })
      expect((await failureOf(client.link.listProviders())).requestId).toBe(id)
    },
  )

  it.each([
    ['/x/{jane}/jane@secret.example', '/x/{jane}/*'],
    ['/v9/user/{user_id}/lab_tests/order-sets', '/v9/user/{user_id}/lab_tests/order-sets'],
    ['/v9/6ba7b810-9dad-11d1-80b4-00c04fd430c8/{id}', '/v9/*/{id}'],
    ['/v9/ffeeddcc-9dad-11d1-80b4-00c04fd430c8/{id}', '/v9/*/{id}'],
    ['/v9/Jane/{id}/4155550100/', '/v9/*/{id}/*/'],
    ['/v9/jane%40secret.example/{id}/req_1_7', '/v9/*/{id}/*'],
    ['/v9/jane.{id}', '/v9/*'],
    ['/v9/{4155550100}/{id}', '/v9/*/{id}'],
  ])('of the path %s', async (path, shown) => {
    const { lines, options } = observed()
    const fetch = async () => json({}, 400)
    const client = new ServiceClient({ ...service, fetch, ...options })
    const params = { jane: 'x', user_id: 'x', id: 'x', '4155550100': 'x' }
    const error = await failureOf(client.request('GET', path, { params }))
    expect(error.route).toBe(`GET ${shown}`)
    if (path !== shown) expect(inspect([lines, error], { depth: 9 })).not.toContain(path)
  })
})
