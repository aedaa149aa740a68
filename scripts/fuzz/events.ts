import * as fc from 'fast-check'
import {
  EventError,
  eventHandler,
  parseEvent,
  recordsOf,
  sourceOf,
  verifyEvent,
} from '../../src/events/index.ts'
import { delivery, secret } from '../../test/support/signed.ts'
import { changeString, someChanges } from './changes.ts'
import { ensure, expectKind, type Target, target } from './target.ts'

const user_id = '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55'
const source = { provider: 'oura', type: 'ring', app_id: null }

const events = [
  { event_type: 'daily.data.sleep.created', user_id, data: { data: [{ score: 80 }], source } },
  { event_type: 'daily.data.body.updated', user_id, data: { weight: 80, source } },
  {
    event_type: 'historical.data.sleep.created',
    user_id,
    data: { start_date: '2025-01-01', end_date: '2025-02-01', provider: 'oura', is_final: true },
  },
  {
    event_type: 'provider.connection.created',
    user_id,
    data: { provider: { slug: 'oura' }, resource_availability: { sleep: {} } },
  },
  { event_type: 'labtest.order.updated', user_id, data: { id: user_id, status: 'completed' } },
  { event_type: 'unknown.thing', x: [1, 2, { y: null }] },
].map((event) => JSON.stringify(event))

/** Events with a random value in one field, at any depth. */
const oddEvent = fc
  .record({ event: fc.constantFrom(...events), at: fc.nat(), value: fc.jsonValue() })
  .map(({ event, at, value }) => {
    let field = 0
    const fields = event.split('":').length - 1
    return JSON.stringify(JSON.parse(event), (name, old) => {
      if (name === '' || Array.isArray(old)) return old
      field += 1
      return field - 1 === at % fields ? value : old
    })
  })

/** Parses events. Each event can be read, or causes an EventError. The handler responds with 200 or 400. */
export const eventsTarget: Target = target(
  'events',
  fc.oneof(
    oddEvent,
    fc
      .record({ event: fc.constantFrom(...events), changes: someChanges })
      .map(({ event, changes }) => changeString(event, changes)),
    fc.json(),
  ),
  async (text) => {
    checkParsing(text)
    const receive = eventHandler({ secrets: secret, on: {}, fallback: () => {} })
    const { status } = await receive(await delivery(text))
    ensure([200, 400].includes(status), `a signed message gets 200 or 400, not ${status}`)
  },
)

function checkParsing(text: string): void {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return
  }
  try {
    const event = parseEvent(value)
    ensure(Object.is(event, value), 'the parsed event is the value itself')
    ensure(Array.isArray(recordsOf(event)), 'the records are an array')
    sourceOf(event)
  } catch (error) {
    expectKind(error, EventError)
  }
}

/** Verifies changed messages. A message is only valid if it equals the signed one. */
export const signaturesTarget: Target = target(
  'signatures',
  fc.record({
    event: fc.constantFrom(...events),
    part: fc.constantFrom('body', 'webhook-id', 'webhook-timestamp', 'webhook-signature'),
    changes: someChanges,
  }),
  async ({ event, part, changes }) => {
    const { headers } = await delivery(event)
    const signed = Object.fromEntries(headers)
    const body = part === 'body' ? changeString(event, changes) : event
    const header = changeString(signed[part] ?? '', changes)
    const given = part === 'body' ? signed : { ...signed, [part]: header }
    try {
      await verifyEvent(body, given, secret, { tolerance: Number.MAX_SAFE_INTEGER })
    } catch (error) {
      expectKind(error, EventError)
      return
    }
    const isSigned = part === 'webhook-signature' && header.split(' ').includes(signed[part] ?? '')
    const isSame = part === 'body' ? body === event.toWellFormed() : header === signed[part]
    ensure(isSigned || isSame, 'a changed message is invalid')
  },
)
