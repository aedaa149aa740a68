import { expect, it } from 'vitest'
import {
  EventError,
  eventHandler,
  parseEvent,
  signEvent,
  verifyEvent,
} from '../../src/events/index.ts'
import { secret } from '../support/signed.ts'

const event = {
  event_type: 'daily.data.sleep.created',
  user_id: '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55',
  data: { data: [{ score: 80 }], source: { provider: 'oura' } },
}
const otherSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'

it.each<[string, Parameters<typeof signEvent>[0]]>([
  ['an object', event],
  ['a string', JSON.stringify(event, undefined, 2)],
  ['bytes', new TextEncoder().encode(JSON.stringify(event))],
  ['a buffer', new TextEncoder().encode(JSON.stringify(event)).buffer],
  ['text in another script', { ...event, note: 'José 睡眠' }],
])('signs %s so that it verifies', async (_, given) => {
  const { headers, body } = await signEvent(given, secret)
  await verifyEvent(body, headers, secret)
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  expect(parseEvent(JSON.parse(text))).toMatchObject(event)
  expect(headers['content-type']).toBe('application/json')
})

it.each<[string, Uint8Array]>([
  ['with a byte order mark', new TextEncoder().encode('\uFEFF{}')],
  ['that are not UTF-8', Uint8Array.of(0x7b, 0xff, 0xfe, 0xc3, 0x28, 0x7d)],
])('signs bytes %s unchanged', async (_, bytes) => {
  const given = bytes.slice()
  const signing = signEvent(given, secret)
  given.fill(0)
  const { headers, body } = await signing
  expect(body).toEqual(bytes)
  await expect(verifyEvent(body, headers, secret)).resolves.toBeDefined()
  const request = new Request('https://receiver.test', { method: 'POST', headers, body })
  const sent = await request.arrayBuffer()
  await expect(verifyEvent(sent, headers, secret)).resolves.toBeDefined()
})

it('makes a request that a receiver handles, once for each id', async () => {
  const received: string[] = []
  const handle = eventHandler({
    secrets: secret,
    on: {},
    fallback: ({ event_type }) => void received.push(event_type),
  })
  const signed = await signEvent(event, secret, { id: 'msg_1' })
  const again = await signEvent(event, secret)
  for (const message of [signed, signed, again]) {
    const request = new Request('https://receiver.test/events', { method: 'POST', ...message })
    expect((await handle(request)).status).toBe(200)
  }
  expect(received).toEqual([event.event_type, event.event_type])
})

it('signs with several secrets', async () => {
  const { headers, body } = await signEvent(event, [secret, otherSecret])
  for (const key of [secret, otherSecret]) {
    await expect(verifyEvent(body, headers, key)).resolves.toBeDefined()
  }
})

it('signs with an id and a time, so that a receiver rejects an old message', async () => {
  const now = new Date('2025-06-01T09:00:00.900Z')
  const { headers, body } = await signEvent(event, secret, { id: 'msg_7', now })
  expect(headers).toMatchObject({ 'webhook-id': 'msg_7', 'webhook-timestamp': '1748768400' })
  await expect(verifyEvent(body, headers, secret, { now })).resolves.toBeDefined()
  await expect(verifyEvent(body, headers, secret)).rejects.toMatchObject({
    code: 'timestamp_invalid',
  })
})

it('signs at the start of 1970', async () => {
  const { headers } = await signEvent(event, secret, { now: new Date(0) })
  expect(headers['webhook-timestamp']).toBe('0')
})

const idMessage = /Expected id to be 1 to 256 visible ASCII characters, but found/
const nowMessage = /Expected now to be a valid Date in 1970 or later, but found/
const eventMessage = /Expected the event to be an object, a string or bytes, but found/

it.each<[what: string, args: unknown[], message: RegExp, code?: string]>([
  ['a secret', [event, 'secret'], /each secret/, 'secret_invalid'],
  [
    'an empty list of secrets',
    [event, []],
    /Expected secrets to be a secret or a list of at least one secret/,
  ],
  ['an id with a space', [event, secret, { id: 'a b' }], idMessage],
  ['a number as an id', [event, secret, { id: 7 }], idMessage],
  ['an invalid Date', [event, secret, { now: new Date(Number.NaN) }], nowMessage],
  ['a time before 1970', [event, secret, { now: new Date(-1) }], nowMessage],
  ['a number as a time', [event, secret, { now: 1_748_768_400 }], nowMessage],
  ['a number as an event', [5, secret], eventMessage],
  ['a null event', [null, secret], eventMessage],
  ['an unknown option', [event, secret, { ID: 'x' }], /Unknown option 'ID' of signEvent\./],
])('rejects %s', async (_, args, message, code = 'argument_invalid') => {
  const signed = Promise.resolve().then(() => Reflect.apply(signEvent, undefined, args))
  await expect(signed).rejects.toBeInstanceOf(EventError)
  await expect(signed).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
})
