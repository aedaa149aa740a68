import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  combineOutcomes,
  type Failure,
  outcomeOf,
  parseRetryAfter,
  retryDelay,
} from '../../../src/client/retries/retry.ts'
import { fetchFailure } from '../../../src/client/transport/attempt/fetch-failure.ts'
import type { Outcome } from '../../../src/index.ts'
import { runsOf } from '../../support/long-tests.ts'
import { fc } from '../../support/properties.ts'

const plenty = { retries: 2, remaining: 60_000 }
const effects = ['read-only', 'idempotent', 'keyed', 'non-idempotent'] as const
const effect = fc.constantFrom(...effects)
const failure: fc.Arbitrary<Failure> = fc.record({
  status: fc.option(fc.constantFrom(302, 400, 401, 404, 408, 409, 422, 429, 500, 501, 502, 503), {
    nil: undefined,
  }),
  neverSent: fc.boolean(),
  retryAfter: fc.option(fc.nat(120_000), { nil: undefined }),
})
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

describe('retryDelay', () => {
  it('never retries when no retries are left, and never waits beyond the deadline', () => {
    const allowance = fc.record({ retries: fc.integer({ min: -1, max: 3 }), remaining: fc.nat() })
    fc.assert(
      fc.property(
        failure,
        effect,
        allowance,
        fc.integer({ min: 1, max: 60 }),
        random,
        (failed, of, left, nth, jitter) => {
          const delay = retryDelay(failed, of, left, { number: nth, jitter })
          if (delay === undefined) return
          expect(left.retries).toBeGreaterThan(0)
          expect(delay).toBeLessThan(left.remaining)
          expect(delay).toBeGreaterThanOrEqual(0)
          expect(delay).toBeLessThanOrEqual(failed.retryAfter ?? 8000)
        },
      ),
      { numRuns: runsOf(1000) },
    )
  })

  it('retries a non-idempotent call only if it had no effect', () => {
    fc.assert(
      fc.property(failure, (failed) => {
        if (retryDelay(failed, 'non-idempotent', plenty, { number: 1, jitter: 0 }) === undefined)
          return
        expect(['not-sent', 'rejected']).toContain(outcomeOf(failed, 'non-idempotent'))
        expect(failed.neverSent || failed.status === 429 || failed.status === 503).toBe(true)
      }),
      { numRuns: runsOf(1000) },
    )
  })

  it.each([408, 429, 500, 502, 503, 504, undefined])(
    'repeats reads and idempotent calls after %s',
    (status) => {
      const failed = { status, neverSent: false }
      expect(retryDelay(failed, 'read-only', plenty, { number: 1, jitter: 0 })).toBe(250)
      expect(retryDelay(failed, 'idempotent', plenty, { number: 1, jitter: 0 })).toBe(250)
      expect(retryDelay(failed, 'keyed', plenty, { number: 1, jitter: 0 })).toBe(250)
    },
  )

  it('repeats a call with an idempotency key while an earlier request with it is in progress', () => {
    const failed = { status: 409, neverSent: false }
    const delays = effects.map((of) => retryDelay(failed, of, plenty, { number: 1, jitter: 0 }))
    expect(delays).toEqual([undefined, undefined, 250, undefined])
    const outcomes = effects.map((of) => outcomeOf(failed, of))
    expect(outcomes).toEqual(['rejected', 'rejected', 'unknown', 'rejected'])
  })

  it('does not repeat a call with an idempotency key after other rejections', () => {
    for (const status of [301, 400, 401, 403, 404, 418, 422, 501]) {
      expect(
        retryDelay({ status, neverSent: false }, 'keyed', plenty, { number: 1, jitter: 0 }),
      ).toBeUndefined()
    }
  })

  it.each([301, 400, 401, 403, 404, 409, 418, 422, 501])('does not retry after %i', (status) => {
    for (const of of ['read-only', 'idempotent', 'non-idempotent'] as const)
      expect(
        retryDelay({ status, neverSent: false }, of, plenty, { number: 1, jitter: 0 }),
      ).toBeUndefined()
  })

  it('retries a non-idempotent call after 429 without Retry-After', () => {
    expect(
      retryDelay({ status: 429, neverSent: false }, 'non-idempotent', plenty, {
        number: 1,
        jitter: 0,
      }),
    ).toBe(250)
    expect(
      retryDelay({ status: 503, neverSent: false }, 'non-idempotent', plenty, {
        number: 1,
        jitter: 0,
      }),
    ).toBeUndefined()
  })

  it('doubles the wait up to 8 seconds and spreads it over the upper half', () => {
    const failed = { status: 500, neverSent: false }
    const least = [1, 2, 3, 4, 5, 6, 60].map((nth) =>
      retryDelay(failed, 'read-only', plenty, { number: nth, jitter: 0 }),
    )
    expect(least).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000])
    expect(retryDelay(failed, 'read-only', plenty, { number: 1, jitter: 0.999 })).toBeCloseTo(
      500,
      0,
    )
  })

  it('waits exactly as long as Retry-After says', () => {
    const failed = { status: 503, neverSent: false, retryAfter: 7000 }
    expect(retryDelay(failed, 'non-idempotent', plenty, { number: 1, jitter: 0.5 })).toBe(7000)
    expect(
      retryDelay({ ...failed, retryAfter: 60_000 }, 'read-only', plenty, { number: 1, jitter: 0 }),
    ).toBeUndefined()
  })
})

describe('parseRetryAfter', () => {
  afterEach(() => vi.unstubAllEnvs())
  const now = Date.parse('1994-11-06T08:49:30Z')

  it.each([
    ['0', 0],
    [' 120 ', 120_000],
    ['1.5', 1500],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 7000],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 7000],
    ['Sun Nov  6 08:49:37 1994', 7000],
    ['Sun, 06 Nov 1994 08:49:20 GMT', 0],
    ['Sun, 06 Nov 1994 09:49:37 +0100', 7000],
    [null, undefined],
    ['', undefined],
    ['soon', undefined],
    ['-1', undefined],
    ['1, 2', undefined],
    ['1e3', undefined],
    ['1994-11-06T08:49:37Z', undefined],
    ['Sun, 99 Nov 1994 08:49:37 GMT', undefined],
    ['Sunday, 06-Nov-1994 08:49:37', 7000],
    ['1.25', 1250],
    ['1.', undefined],
    ['x Sun, 06 Nov 1994 08:49:37 GMT', undefined],
    ['06 Nov 1994 08:49:37 GMT', undefined],
    ['Sun, 06 Nov 1994 8:49:37 GMT', undefined],
    ['Sun, 06 Nov 1994 08:49:3 GMT', undefined],
  ])('parses %j as %s milliseconds', (header, expected) => {
    vi.stubEnv('TZ', 'America/New_York')
    expect(new Date(now).getTimezoneOffset()).toBe(300)
    expect(parseRetryAfter(header, now)).toBe(expected)
  })

  it('returns at least 0 milliseconds or undefined for any string', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const delay = parseRetryAfter(text, now)
        expect(delay === undefined || delay >= 0).toBe(true)
      }),
      { numRuns: runsOf(1000) },
    )
  })
})

it.each<[Failure['status'], number | undefined, Outcome]>([
  [undefined, undefined, 'unknown'],
  [200, undefined, 'unknown'],
  [301, undefined, 'unknown'],
  [306, undefined, 'unknown'],
  [307, undefined, 'rejected'],
  [308, undefined, 'rejected'],
  [309, undefined, 'unknown'],
  [399, undefined, 'unknown'],
  [400, undefined, 'rejected'],
  [408, undefined, 'unknown'],
  [429, undefined, 'rejected'],
  [498, undefined, 'rejected'],
  [499, undefined, 'unknown'],
  [500, undefined, 'unknown'],
  [500, 1000, 'unknown'],
  [502, 1000, 'unknown'],
  [503, undefined, 'unknown'],
  [503, 0, 'rejected'],
])('maps status %s with a Retry-After of %s to %s', (status, retryAfter, expected) => {
  expect(outcomeOf({ status, neverSent: false, retryAfter }, 'non-idempotent')).toBe(expected)
  expect(outcomeOf({ status, neverSent: true, retryAfter }, 'non-idempotent')).toBe('not-sent')
})

it.each<[Outcome[], Outcome]>([
  [[], 'not-sent'],
  [['not-sent', 'not-sent'], 'not-sent'],
  [['not-sent', 'rejected'], 'rejected'],
  [['unknown', 'rejected'], 'unknown'],
  [['unknown', 'not-sent'], 'unknown'],
])('combines %j to %s', (outcomes, expected) => {
  expect(combineOutcomes(outcomes)).toBe(expected)
})

describe('fetchFailure', () => {
  const failed = (cause: object) => new TypeError('fetch failed', { cause })

  it.each([
    [{ code: 'ENOTFOUND', syscall: 'getaddrinfo' }],
    [{ code: 'EAI_AGAIN' }],
    [{ code: 'ECONNREFUSED', syscall: 'connect' }],
    [{ code: 'EHOSTUNREACH', syscall: 'connect' }],
    [{ code: 'ETIMEDOUT', syscall: 'connect' }],
    [{ code: 'UND_ERR_CONNECT_TIMEOUT' }],
    [{ code: 'UND_ERR_INVALID_ARG', message: 'invalid transfer-encoding header' }],
    [{ code: 'UND_ERR_NOT_SUPPORTED', message: 'expect header not supported' }],
    [{ code: 'ERR_PROXY_TUNNEL' }],
    [{ code: 'CERT_HAS_EXPIRED' }],
    [{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }],
    [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
    [{ code: 'ERR_SSL_UNSUPPORTED_PROTOCOL' }],
    [{ code: 'UND_ERR_ABORTED', message: 'Proxy response (407) !== 200 when HTTP Tunneling' }],
    [{ code: 'ECONNREFUSED', errors: [{ code: 'ECONNREFUSED' }, { code: 'ECONNREFUSED' }] }],
  ])('classifies as never sent: %j', (cause) => {
    expect(fetchFailure(failed(cause))).toEqual({ code: cause.code, neverSent: true })
  })

  it.each([
    [{ code: 'ECONNRESET', syscall: 'read' }, 'ECONNRESET'],
    [{ code: 'EPIPE', syscall: 'write' }, 'EPIPE'],
    [{ code: 'ETIMEDOUT', syscall: 'read' }, 'ETIMEDOUT'],
    [{ code: 'EHOSTUNREACH', syscall: 'read' }, 'EHOSTUNREACH'],
    [{ code: 'UND_ERR_SOCKET' }, 'UND_ERR_SOCKET'],
    [{ code: 'UND_ERR_INVALID_ARG', message: 'Redirect loop detected.' }, 'UND_ERR_INVALID_ARG'],
    [{ code: 'UND_ERR_NOT_SUPPORTED' }, 'UND_ERR_NOT_SUPPORTED'],
    [{ code: 'UND_ERR_ABORTED', message: 'Request aborted' }, 'UND_ERR_ABORTED'],
    [
      { code: 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC' },
      'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
    ],
    [
      { code: 'ECONNREFUSED', errors: [{ code: 'ECONNREFUSED' }, { code: 'EPIPE' }] },
      'ECONNREFUSED',
    ],
    // Plain text on an encrypted connection, also after the request.
    [{ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, 'ERR_SSL_WRONG_VERSION_NUMBER'],
    [{ code: 'ERR_HTTP2_STREAM_ERROR' }, 'ERR_HTTP2_STREAM_ERROR'],
    [{ code: 'ECONNRESET', message: 'socket disconnected' }, 'ECONNRESET'],
    [{ code: 'patient jane' }, 'NETWORK'],
    [{}, 'NETWORK'],
  ])('classifies as possibly sent: %j', (cause, code) => {
    expect(fetchFailure(failed(cause))).toEqual({ code, neverSent: false })
  })

  const connect = (end: string) => `error sending request for url (http://127.0.0.1/): ${end}`

  it.each([
    connect('client error (Connect): tcp connect error: Connection refused (os error 111)'),
    connect('client error (Connect): dns error: failed to lookup address information'),
    connect('client error (Connect): tls handshake eof'),
  ])('classifies as never sent on Deno: %s', (message) => {
    const expected = { code: 'NETWORK', neverSent: true }
    expect(fetchFailure(failed(new Error(message)))).toEqual(expected)
    expect(fetchFailure(new TypeError(message))).toEqual(expected)
  })

  it.each([
    'error sending request from 127.0.0.1:2 for http://127.0.0.1/ (127.0.0.1:1): client error (SendRequest): connection closed before message completed',
    // A server can choose the end of a message, and a caller the path.
    connect('client error (SendRequest): http2 error: "): client error (Connect): "'),
    'error sending request from 127.0.0.1:2 for http://127.0.0.1/):%20client%20error%20(Connect):%20 (127.0.0.1:1): client error (SendRequest)',
    'Connection reset by peer (os error 104)',
  ])('classifies as possibly sent on Deno: %s', (message) => {
    const expected = { code: 'NETWORK', neverSent: false }
    expect(fetchFailure(failed(new Error(message)))).toEqual(expected)
  })

  it('accepts cyclic causes and values that are not errors', () => {
    const circle: { cause?: object } = {}
    circle.cause = circle
    for (const error of [circle, null, undefined, 'text', 7]) {
      expect(fetchFailure(error)).toEqual({ code: 'NETWORK', neverSent: false })
    }
  })
})
