import { runInNewContext } from 'node:vm'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  EventError,
  eventHandler,
  memoryStore,
  nodeEventHandler,
  verifyEvent,
} from '../../src/events/index.ts'
import { runProgram } from '../support/programs/program.ts'
import { delivery, secret } from '../support/signed.ts'
import { event, ignore, nodeReceiver, otherSecret, signed } from './signed-event.ts'

/** A signature of the right form, which is not valid. */
function forged(at: number): string {
  return `v1,${Buffer.alloc(32, at).toString('base64')}`
}

describe('one request', () => {
  it.each([
    ['no signature of the right form', 'v1,AAAA v2,BBBB v1a,CCCC', 0],
    ['one signature', forged(1), 1],
    ['1,000 signatures', Array.from({ length: 1000 }, (_, at) => forged(at)).join(' '), 1],
    ['a letter before or after signatures', `x${forged(1)} ${forged(1)}x`, 0],
    ['1,000 short signatures', Array.from({ length: 1000 }, () => 'v1,AAAA').join(' '), 0],
  ])('costs at most one HMAC per secret, with %s', async (_, signatures, cost) => {
    const { body, headers } = await signed({ 'webhook-signature': signatures })
    const spies = [vi.spyOn(crypto.subtle, 'sign'), vi.spyOn(crypto.subtle, 'verify')]
    onTestFinished(() => spies.forEach((spy) => void spy.mockRestore()))
    for (const secrets of [secret, [secret, otherSecret]]) {
      for (const spy of spies) spy.mockClear()
      const verified = verifyEvent(body, headers, secrets)
      await expect(verified).rejects.toMatchObject({ code: 'signature_invalid' })
      const calls = spies.map((spy) => spy.mock.calls.length)
      expect(calls).toEqual([cost * [secrets].flat().length, 0])
    }
  })

  it('costs no HMAC when its timestamp is outside the tolerance', async () => {
    const { body, headers } = await signed()
    const spy = vi.spyOn(crypto.subtle, 'sign')
    onTestFinished(() => void spy.mockRestore())
    const now = new Date(Date.now() + 301_000)
    const verified = verifyEvent(body, headers, secret, { now })
    await expect(verified).rejects.toMatchObject({ code: 'timestamp_invalid' })
    expect(spy).not.toHaveBeenCalled()
  })

  it.each([
    [31, 'is verified'],
    [32, 'signature_invalid'],
  ])('with %i signatures before the valid one: %s', async (count, outcome) => {
    const { body, headers } = await signed()
    const others = Array.from({ length: count }, (_, at) => forged(at))
    const all = { ...headers, 'webhook-signature': [...others, headers['webhook-signature'] ?? ''] }
    const verified = verifyEvent(body, all, secret).then(() => 'is verified')
    expect(await verified.catch(({ code }) => code)).toBe(outcome)
  })

  it('needs little memory with a body of 9 MiB and 400 bytes of signatures', async () => {
    const found = await runProgram(`
      import { eventHandler } from './src/events/index.ts'
      const receive = eventHandler({ secrets: '${secret}', on: {}, fallback() {} })
      const headers = {
        'webhook-id': 'm',
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': '${'v1,AAAA '.repeat(44)}${forged(1)}',
      }
      const body = new Uint8Array(9 * 1024 * 1024)
      const request = () => new Request('https://receiver.test/', { method: 'POST', headers, body })
      const before = process.resourceUsage().maxRSS
      const { status } = await receive(request())
      const growth = (process.resourceUsage().maxRSS - before) / 1024
      console.log(JSON.stringify({ status, growth }))`)
    expect(found).toMatchObject({ status: 401, growth: expect.toSatisfy((mib) => mib < 150) })
  })

  it('needs little memory with a body in chunks of one byte', async () => {
    const found = await runProgram(
      `
      import { eventHandler } from './src/events/index.ts'
      const receive = eventHandler({ secrets: '${secret}', on: {}, fallback() {} })
      let left = 500_000
      const body = new ReadableStream({
        pull(controller) {
          if (left-- > 0) controller.enqueue(new Uint8Array(1))
          else controller.close()
        },
      })
      const sent = { method: 'POST', body, duplex: 'half' }
      const { status } = await receive(new Request('https://receiver.test/', sent))
      console.log(JSON.stringify(status))`,
      '--max-old-space-size=32',
    )
    expect(found).toBe(401)
  })
})

const timed = { 'webhook-id': 'm', 'webhook-timestamp': '1', 'webhook-signature': 'v1' }

const headersMessage = /Expected headers to be Headers or an object of strings, but found null/

/** Calls with an argument that only callers without types can pass. */
const oddCalls: [what: string, odd: unknown[], code: string, message: RegExp][] = [
  ['null headers', ['', null, secret], 'argument_invalid', headersMessage],
  ['no headers', ['', undefined, secret], 'argument_invalid', /headers to be .* found undefined/],
  ['a list of headers', ['', [], secret], 'argument_invalid', /headers to be .* found an array/],
  [
    'a number as an id',
    ['', { ...timed, 'webhook-id': 1 }, secret],
    'signature_missing',
    /webhook/,
  ],
  [
    'a list of numbers',
    ['', { ...timed, 'webhook-id': [1] }, secret],
    'signature_missing',
    /webhook/,
  ],
  [
    'headers of null',
    ['', { 'webhook-id': null }, secret],
    'signature_missing',
    /header is missing/,
  ],
  ['no body', [undefined, {}, secret], 'body_parsed', /raw body .* undefined/],
  ['a null body', [null, {}, secret], 'body_parsed', /raw body .* null/],
  ['a number as a body', [7, {}, secret], 'body_parsed', /raw body .* 7/],
  ['a parsed body', [{ a: 1 }, {}, secret], 'body_parsed', /raw body .* an object.*express\.raw/],
  ['no secret', ['', {}, undefined], 'secret_invalid', /each secret to be whsec_/],
  ['a null secret', ['', {}, null], 'secret_invalid', /each secret to be whsec_/],
  ['a number as a secret', ['', {}, 7], 'secret_invalid', /each secret to be whsec_/],
  ['an object as a secret', ['', {}, {}], 'secret_invalid', /each secret to be whsec_/],
  ['null among secrets', ['', {}, [secret, null]], 'secret_invalid', /each secret to be whsec_/],
  ['null options', ['', {}, secret, null], 'argument_invalid', /the options of verifyEvent/],
  ['a number as options', ['', {}, secret, 7], 'argument_invalid', /an object, but found 7/],
  ...[Number.NaN, -1, Number.POSITIVE_INFINITY, null, '300', 300n].map(
    (tolerance): (typeof oddCalls)[number] => [
      `tolerance ${String(tolerance)}`,
      ['', {}, secret, { tolerance }],
      'argument_invalid',
      /tolerance to be a number of seconds, 0 or more, but found/,
    ],
  ),
  ...[new Date(Number.NaN), Date.now(), null, '2025-06-01', {}].map(
    (now): (typeof oddCalls)[number] => [
      `the clock ${typeof now} ${String(now)}`,
      ['', timed, secret, { now }],
      'argument_invalid',
      /now to be a valid Date, but found/,
    ],
  ),
  [
    'an option that does not exist',
    ['', {}, secret, { tolerence: 5 }],
    'argument_invalid',
    /Unknown option 'tolerence' of verifyEvent\. Did you mean tolerance\?/,
  ],
]

/** Returns an object that throws whenever it is used. */
function hostile(target: object): object {
  const fail = () => {
    throw new Error('trap')
  }
  return new Proxy(target, { get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail })
}

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

const failingGet = {
  get() {
    throw new Error('get')
  },
}

const failingField = {
  get 'webhook-id'() {
    throw new Error('field')
  },
}

it.each([
  ['headers whose get throws', ['', failingGet, secret], 'headers'],
  ['headers with a field that throws', ['', failingField, secret], 'headers'],
  ['headers that throw', ['', hostile({}), secret], 'headers'],
  ['revoked headers', ['', revoked({}), secret], 'headers'],
  ['secrets that throw', ['', {}, hostile([])], 'the secrets'],
  ['revoked secrets', ['', {}, revoked([])], 'the secrets'],
  ['a body that throws', [hostile({}), {}, secret], 'the body'],
  ['a revoked body', [revoked({}), {}, secret], 'the body'],
  ['options that throw', ['', {}, secret, hostile({})], 'the options of verifyEvent'],
  ['a clock that throws', ['', timed, secret, { now: hostile({}) }], 'now'],
  ['a false clock', ['', timed, secret, { now: { [Symbol.toStringTag]: 'Date' } }], 'now'],
])('rejects %s with a typed error', async (_, odd, what) => {
  const verified = Reflect.apply(verifyEvent, undefined, odd)
  await expect(verified).rejects.toBeInstanceOf(EventError)
  const message = `Cannot read ${what}: a getter or a proxy threw an error.`
  await expect(verified).rejects.toMatchObject({ code: 'argument_invalid', message })
})

it('survives headers whose get rejects', async () => {
  const found = await runProgram(`
    import { verifyEvent } from './src/events/index.ts'
    const headers = { async get() { throw new Error() } }
    const found = await verifyEvent('', headers, '${secret}').catch(({ code }) => code)
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
    console.log(JSON.stringify(found))`)
  expect(found).toBe('signature_missing')
})

/** Requests that only callers without types can pass. */
const oddRequests: [what: string, request: unknown, message: RegExp][] = [
  ['null', null, /Expected the request to be an object, but found null/],
  ['undefined', undefined, /Expected the request to be an object, but found undefined/],
  ['a number', 7, /Expected the request to be an object, but found 7/],
  ['a request that throws', hostile({}), /Cannot read the request/],
  ['a revoked request', revoked({}), /Cannot read the request/],
  ['a request without headers', { method: 'POST', headers: null, body: '' }, headersMessage],
]

it.each(oddRequests)('responds with 500 to %s', async (_, request, message) => {
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  const options = { secrets: secret, on: {}, fallback: ignore, onError }
  const { status } = await Reflect.apply(eventHandler(options), undefined, [request])
  const response = { statusCode: 0, setHeader: ignore, end: ignore }
  await Reflect.apply(nodeEventHandler(options), undefined, [request, response])
  expect([status, response.statusCode]).toEqual([500, 500])
  const reported = expect.objectContaining({ message: expect.stringMatching(message) })
  expect(errors).toEqual([reported, reported])
})

it.each([undefined, { code: 'signature_missing' }, new Error('reset')])(
  'responds with 500 to a body that fails with %o',
  async (failure) => {
    const { headers } = await signed()
    const body = new ReadableStream({ start: (controller) => controller.error(failure) })
    const sent = { method: 'POST', headers, body, duplex: 'half' }
    const errors: unknown[] = []
    const onError = (error: unknown) => errors.push(error)
    const receive = eventHandler({ secrets: secret, on: {}, fallback: ignore, onError })
    expect((await receive(new Request('https://receiver.test/', sent))).status).toBe(500)
    expect(errors).toEqual([failure])
  },
)

it.each([null, undefined, 7])('reports the response %o on node:http', async (response) => {
  const { receive, errors } = nodeReceiver()
  const { body, headers } = await signed()
  await Reflect.apply(receive, undefined, [{ method: 'POST', headers, body }, response])
  const message = expect.stringContaining('the response to be a node:http response')
  expect(errors).toEqual([expect.objectContaining({ code: 'argument_invalid', message })])
})

it.each(oddCalls)('rejects %s with a typed error', async (_, odd, code, message) => {
  const verified = Promise.resolve().then(() => Reflect.apply(verifyEvent, undefined, odd))
  await expect(verified).rejects.toBeInstanceOf(EventError)
  await expect(verified).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
})

it.each([
  [
    'a view of part of a buffer',
    (bytes: Uint8Array) => {
      const wide = new Uint8Array(bytes.length + 2)
      wide.set(bytes, 1)
      return wide.subarray(1, -1)
    },
  ],
  [
    'bytes of another realm',
    (bytes: Uint8Array) => runInNewContext('Uint8Array.from(bytes)', { bytes }),
  ],
  [
    'a buffer of another realm',
    (bytes: Uint8Array) => runInNewContext('Uint8Array.from(bytes).buffer', { bytes }),
  ],
])('verifies %s', async (_, make) => {
  const { body, headers } = await signed()
  const raw = make(new TextEncoder().encode(body))
  await expect(verifyEvent(raw, headers, secret)).resolves.toMatchObject({ id: 'msg_1' })
})

it('reads headers of another implementation', async () => {
  const { body, headers } = await signed()
  const foreign = { get: (name: string) => headers[name] ?? null }
  const verified = Reflect.apply(verifyEvent, undefined, [body, foreign, secret])
  await expect(verified).resolves.toMatchObject({ id: 'msg_1' })
})

/** Options that only callers without types can pass, in addition to valid ones. */
const oddOptions: [options: unknown, message: RegExp, code?: string][] = [
  [{ maxBytes: Number.NaN }, /maxBytes to be a positive integer, but found NaN/],
  [{ maxBytes: Number.POSITIVE_INFINITY }, /maxBytes to be a positive integer/],
  [{ maxBytes: 0 }, /maxBytes to be a positive integer, but found 0/],
  [{ maxBytes: 1.5 }, /maxBytes to be a positive integer/],
  [{ maxBytes: '1mb' }, /maxBytes to be a positive integer, but found a string/],
  [{ maxBytes: null }, /maxBytes to be a positive integer, but found null/],
  [{ tolerance: Number.NaN }, /tolerance to be a number of seconds/],
  [{ tolerance: -1 }, /tolerance to be a number of seconds/],
  [{ tolerance: Number.POSITIVE_INFINITY }, /tolerance to be a number of seconds/],
  [{ fallback: undefined }, /fallback to be a function/],
  [{ onError: 'log' }, /onError to be a function, but found a string/],
  [{ onError: null }, /onError to be a function, but found null/],
  [{ on: undefined }, /on to be an object with listeners/],
  [{ on: [] }, /on to be an object with listeners keyed by type, but found an array/],
  [{ on: { 'daily.data.sleep.created': 7 } }, /listener for daily\.data\.sleep\.created to be a f/],
  [{ on: { 'daily.data.slep.created': ignore } }, /Did you mean daily\.data\.sleep\.created\?/],
  [{ on: { 'daily.data.*.created': ignore } }, /Unknown event type .* Patterns are not supported/],
  [{ on: { [`${'*'.repeat(24)}x`]: ignore } }, /Patterns are not supported/],
  [{ on: { [`${'a'.repeat(1e6)}`]: ignore } }, /Unknown event type/],
  [{ dedupe: null }, /dedupe to be a store, but found null/],
  [{ dedupe: {} }, /dedupe\.claim to be a function, but found undefined/],
  [{ dedupe: { ...memoryStore(), release: 7 } }, /dedupe\.release to be a function, but found 7/],
  [{ fallbak: ignore }, /Unknown option 'fallbak' of \w+\. Did you mean fallback\?/],
  [{ onerror: ignore }, /Unknown option 'onerror' of \w+\. Did you mean onError\?/],
  [{ secrets: [] }, /at least one secret/, 'secret_invalid'],
  [{ secrets: 7 }, /each secret/, 'secret_invalid'],
]

describe.each([
  ['eventHandler', eventHandler],
  ['nodeEventHandler', nodeEventHandler],
])('%s', (name, make) => {
  it.each(oddOptions)(
    'rejects %o when it is created',
    (odd, message, code = 'argument_invalid') => {
      const options = { secrets: secret, on: {}, fallback: ignore, ...(odd as object) }
      const rejected = expect.objectContaining({ code, message: expect.stringMatching(message) })
      expect(() => make(options)).toThrow(rejected)
    },
  )

  it.each([undefined, null, 7, 'options', []])('rejects the options %o', (options) => {
    const message = expect.stringContaining(`Expected the options of ${name} to be an object`)
    expect(() => Reflect.apply(make, undefined, [options])).toThrow(
      expect.objectContaining({ code: 'argument_invalid', message }),
    )
  })
})

it.each([Number.NaN, 0, -1, 1.5, Number.POSITIVE_INFINITY, '10'])(
  'rejects a memory store of %o messages',
  (limit) => {
    const message = expect.stringContaining('Expected the limit of memoryStore to be a positive')
    const rejected = expect.objectContaining({ code: 'argument_invalid', message })
    expect(() => Reflect.apply(memoryStore, undefined, [limit])).toThrow(rejected)
  },
)

it('is not changed by a caller that changes its options later', async () => {
  const secrets = [secret]
  const options = { secrets, on: {}, fallback: ignore }
  const receive = eventHandler(options)
  secrets[0] = 'none'
  Object.assign(options, { fallback: 7 })
  expect((await receive(await delivery(event))).status).toBe(200)
})

it('names the other handler to a caller that passes a request of node:http', async () => {
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  const receive = eventHandler({ secrets: secret, on: {}, fallback: ignore, onError })
  const { headers } = await signed()
  const { status } = await Reflect.apply(receive, undefined, [{ method: 'POST', headers }])
  expect(status).toBe(500)
  const message = expect.stringContaining('For node:http and Express, use nodeEventHandler.')
  expect(errors).toEqual([expect.objectContaining({ code: 'argument_invalid', message })])
})
