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
  ['text in another script', { ...event, note: 'José 睡眠' }],
])('signs %s so that it verifies', async (_, given) => {
  const { headers, body } = await signEvent(given, secret)
  await verifyEvent(body, headers, secret)
  expect(parseEvent(JSON.parse(body))).toMatchObject(event)
  expect(headers['content-type']).toBe('application/json')
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

it.each<[string, () => Promise<unknown>, string]>([
  ['a secret', () => signEvent(event, 'secret'), 'secret_invalid'],
  ['an empty list of secrets', () => signEvent(event, []), 'argument_invalid'],
  ['an id', () => signEvent(event, secret, { id: 'a b' }), 'argument_invalid'],
  ['a time', () => signEvent(event, secret, { now: new Date(Number.NaN) }), 'argument_invalid'],
  ['an event', () => signEvent(5 as never, secret), 'argument_invalid'],
  ['an option', () => signEvent(event, secret, { ID: 'x' } as never), 'argument_invalid'],
])('rejects %s that is invalid', async (_, sign, code) => {
  const error = await sign().catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(EventError)
  expect(error).toMatchObject({ code })
})
