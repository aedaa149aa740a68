import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { EventError, type EventHeaders, verifyEvent } from '../../src/events/index.ts'
import { importKey, signatureOf } from '../../src/events/signature.ts'
import { runsOf } from '../support/long-tests.ts'
import { fc } from '../support/properties.ts'

// The vector that Standard Webhooks publishes.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const body = '{"test": 2432232314}'
const headers = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}
const now = new Date(1_614_265_330_000)

it('verifies the published vector', async () => {
  expect(await verifyEvent(body, headers, secret, { now })).toEqual({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: now,
  })
})

it('signs the published vector', async () => {
  const message = {
    id: headers['webhook-id'],
    timestamp: 1_614_265_330,
    body: new TextEncoder().encode(body),
  }
  expect(await signatureOf(message, await importKey(secret))).toBe(headers['webhook-signature'])
})

it.each([
  ['Headers', new Headers(headers)],
  [
    'svix names',
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.replace('webhook', 'svix'), value]),
    ),
  ],
  [
    'names in any case',
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
  ],
  [
    'several headers of one name',
    new Headers([...Object.entries(headers), ['webhook-signature', `v1,${'A'.repeat(43)}=`]]),
  ],
  [
    'lists of node:http',
    { ...headers, 'webhook-signature': ['v1,AAAA', headers['webhook-signature']] },
  ],
])('accepts %s', async (_, given) => {
  await expect(verifyEvent(body, given, secret, { now })).resolves.toBeDefined()
})

it.each([
  ['text', body],
  ['bytes', new TextEncoder().encode(body)],
  ['a buffer', new TextEncoder().encode(body).buffer],
])('accepts a body of %s', async (_, given) => {
  await expect(verifyEvent(given, headers, secret, { now })).resolves.toBeDefined()
})

type Rejected = [string, unknown, EventHeaders, string | string[], string, RegExp]

it.each<Rejected>([
  ['a parsed body', { test: 2_432_232_314 }, headers, secret, 'body_parsed', /express\.raw/],
  ['no headers', body, {}, secret, 'signature_missing', /webhook-id/],
  ...(['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const).map(
    (name): Rejected => [
      `a message without ${name}`,
      body,
      { ...headers, [name]: undefined },
      secret,
      'signature_missing',
      /webhook-id, webhook-timestamp or webhook-signature header is missing/,
    ],
  ),
  [
    'an id that no database can index',
    body,
    { ...headers, 'webhook-id': 'm'.repeat(1001) },
    secret,
    'signature_invalid',
    /webhook-id of at most 1000 characters/,
  ],
  ['another body', `${body} `, headers, secret, 'signature_invalid', /No signature matches/],
  [
    'a timestamp that is none',
    body,
    { ...headers, 'webhook-timestamp': 'now' },
    secret,
    'timestamp_invalid',
    /seconds/,
  ],
  ...['x1614265330', '1614265330x', '-1', '1.5', '1614265330000000'].map(
    (timestamp): Rejected => [
      `the timestamp ${timestamp}`,
      body,
      { ...headers, 'webhook-timestamp': timestamp },
      secret,
      'timestamp_invalid',
      /a Unix timestamp in seconds/,
    ],
  ),
  [
    'a secret with something before its base64',
    body,
    headers,
    `whsec_*${secret.slice(6)}`,
    'secret_invalid',
    /base64/,
  ],
  [
    'a secret with something after its base64',
    body,
    headers,
    `${secret}*`,
    'secret_invalid',
    /base64/,
  ],
  [
    'a secret after a space',
    body,
    headers,
    `whsec_ ${secret.slice(6)}`,
    'secret_invalid',
    /base64/,
  ],
  ['a secret before a space', body, headers, `${secret} `, 'secret_invalid', /base64/],
  ['a secret of one letter', body, headers, 'whsec_A', 'secret_invalid', /base64/],
  ['no secret', body, headers, [], 'secret_invalid', /at least one/],
  ['a blank secret', body, headers, '', 'secret_invalid', /whsec_/],
  ['a secret that is only a prefix', body, headers, 'whsec_', 'secret_invalid', /whsec_/],
  ['a secret without its prefix', body, headers, secret.slice(6), 'secret_invalid', /whsec_/],
  ['a secret that is not base64', body, headers, 'whsec_***', 'secret_invalid', /base64/],
  ['one bad secret among good ones', body, headers, [secret, 'x'], 'secret_invalid', /each secret/],
])('rejects %s', async (_, given, told, secrets, code, message) => {
  // A caller without types may give anything.
  const verified = verifyEvent(given as string, told, secrets, { now })
  await expect(verified).rejects.toBeInstanceOf(EventError)
  await expect(verified).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
})

it.each([
  [-301, 'timestamp_invalid'],
  [-300, undefined],
  [300, undefined],
  [301, 'timestamp_invalid'],
])('tolerates a clock that is %i seconds off: %s', async (seconds, code) => {
  const later = new Date(now.getTime() + seconds * 1000)
  const verified = verifyEvent(body, headers, secret, { now: later })
  if (code) await expect(verified).rejects.toMatchObject({ code })
  else await expect(verified).resolves.toBeDefined()
})

it('accepts a message of this second only, with a tolerance of 0', async () => {
  const exact = { now, tolerance: 0 }
  await expect(verifyEvent(body, headers, secret, exact)).resolves.toBeDefined()
  const later = { now: new Date(now.getTime() + 1000), tolerance: 0 }
  await expect(verifyEvent(body, headers, secret, later)).rejects.toMatchObject({
    code: 'timestamp_invalid',
  })
})

it.each([
  [301, 'The message is older than the tolerance of 300 seconds allows. It may be a replay'],
  [-301, 'The message is newer than the tolerance of 300 seconds allows. Check this machine'],
])('says in which direction a clock is %i seconds off', async (seconds, message) => {
  const later = new Date(now.getTime() + seconds * 1000)
  await expect(verifyEvent(body, headers, secret, { now: later })).rejects.toThrow(message)
})

it('creates keys that cannot be exported', async () => {
  expect((await importKey(secret)).extractable).toBe(false)
})

describe('instanceof', () => {
  afterEach(() => vi.resetModules())

  it('recognizes errors of another copy of this package, and nothing else', async () => {
    vi.resetModules()
    const other = await import('../../src/events/index.ts')
    expect(other.EventError).not.toBe(EventError)
    expect(other.EventError.kind).toBe('EventError')
    expect(new other.EventError('event_invalid', 'text')).toBeInstanceOf(EventError)
    for (const value of [new Error(), {}, null, undefined, 'text', 7, () => {}]) {
      expect(value instanceof EventError).toBe(false)
    }
  })

  it('matches a custom subclass with itself and its base class only', () => {
    class OtherError extends EventError {}
    const own = new OtherError('event_invalid', 'text')
    expect(own).toBeInstanceOf(OtherError)
    expect(own).toBeInstanceOf(EventError)
    expect(new EventError('event_invalid', 'text')).not.toBeInstanceOf(OtherError)
  })
})

const anySecret = fc
  .uint8Array({ minLength: 1, maxLength: 48 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`)

describe('for any message', () => {
  it('agrees with the standardwebhooks package in both directions', async () => {
    await fc.assert(
      fc.asyncProperty(anySecret, fc.string({ unit: 'grapheme' }), async (key, text) => {
        const webhook = new Webhook(key)
        const sent = new Date(Math.floor(Date.now() / 1000) * 1000)
        const signed = {
          'webhook-id': 'msg_1',
          'webhook-timestamp': String(sent.getTime() / 1000),
          'webhook-signature': webhook.sign('msg_1', sent, text),
        }
        await expect(verifyEvent(text, signed, key)).resolves.toMatchObject({ id: 'msg_1' })
        const timestamp = sent.getTime() / 1000
        const message = { id: 'msg_1', timestamp, body: new TextEncoder().encode(text) }
        const ours = await signatureOf(message, await importKey(key))
        expect(ours).toBe(signed['webhook-signature'])
      }),
      { numRuns: runsOf(200) },
    )
  })

  it('finds the valid signature among any secrets and signatures', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(anySecret, { minLength: 1, maxLength: 4 }),
        fc.nat(3),
        fc.array(fc.stringMatching(/^v\d,[A-Za-z0-9+/]{4,44}={0,2}$/), { maxLength: 3 }),
        fc.nat(3),
        fc.uint8Array({ maxLength: 200 }),
        async (secrets, which, others, place, bytes) => {
          const timestamp = 1_700_000_000
          const message = { id: 'msg_1', timestamp, body: Uint8Array.from(bytes) }
          const signer = secrets[which % secrets.length] ?? ''
          const signature = await signatureOf(message, await importKey(signer))
          const signatures = others.toSpliced(place % (others.length + 1), 0, signature)
          const told = {
            'webhook-id': 'msg_1',
            'webhook-timestamp': String(timestamp),
            'webhook-signature': signatures.join(' '),
          }
          const at = { now: new Date(timestamp * 1000) }
          await expect(verifyEvent(message.body, told, secrets, at)).resolves.toBeDefined()
        },
      ),
      { numRuns: runsOf(200) },
    )
  })

  it('fails when any single bit is flipped', async () => {
    const parts = [body, ...Object.values(headers)].map((part) => Buffer.from(part))
    const bits = parts.flatMap((bytes, part) =>
      Array.from({ length: bytes.length * 8 }, (_, bit) => ({ part, bit })),
    )
    const wide = { now, tolerance: Number.MAX_SAFE_INTEGER }
    for (const { part, bit } of bits) {
      const flipped = parts.map((bytes) => Buffer.from(bytes))
      const target = flipped[part] as Buffer
      target[bit >> 3] = (target[bit >> 3] as number) ^ (1 << (bit & 7))
      const [changed = '', ...values] = flipped
      const names = Object.keys(headers).map((name, at) => [name, values[at]?.toString('latin1')])
      const verified = verifyEvent(changed, Object.fromEntries(names), secret, wide)
      await expect(verified, `bit ${bit} of part ${part}`).rejects.toBeInstanceOf(EventError)
    }
    expect(bits.length).toBeGreaterThan(800)
  })

  it('returns or throws its typed error for any bytes and headers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array(),
        fc.dictionary(
          fc.constantFrom('webhook-id', 'webhook-timestamp', 'webhook-signature', 'svix-id'),
          fc.oneof(fc.string(), fc.array(fc.string())),
        ),
        fc.oneof(anySecret, fc.string()),
        async (bytes, told, key) => {
          const error = await verifyEvent(bytes, told, key).catch((reason: unknown) => reason)
          expect(error).toBeInstanceOf(EventError)
        },
      ),
      { numRuns: runsOf(500) },
    )
  })
})
