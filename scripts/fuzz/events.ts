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
import { changedText, changes } from './mutation.ts'
import { expectKind, must, type Target, target } from './target.ts'

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

/** A value in the place of one of an event's fields, however deep. */
const oddEvent = fc
  .record({ event: fc.constantFrom(...events), at: fc.nat(), value: fc.jsonValue() })
  .map(({ event, at, value }) => {
    let place = 0
    const fields = event.split('":').length - 1
    return JSON.stringify(JSON.parse(event), (name, old) => {
      if (name === '' || Array.isArray(old)) return old
      place += 1
      return place - 1 === at % fields ? value : old
    })
  })

/** Any event is parsed and can be read, or refused with an EventError; the receiver answers with a status of its own. */
export const eventsTarget: Target = target(
  'events',
  fc.oneof(
    oddEvent,
    fc
      .record({ event: fc.constantFrom(...events), made: changes })
      .map(({ event, made }) => changedText(event, made)),
    fc.json(),
  ),
  async (text) => {
    checkParsing(text)
    const receive = eventHandler({ secrets: secret, on: {}, fallback: () => {} })
    const { status } = await receive(await delivery(text))
    must([200, 400].includes(status), `${status} is what a signed message is answered`)
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
    must(Object.is(event, value), 'the value itself is given')
    must(Array.isArray(recordsOf(event)), 'its records are a list')
    sourceOf(event)
  } catch (error) {
    expectKind(error, EventError)
  }
}

/** Whatever is changed of a signed message, it is verified only if it is what was signed. */
export const signaturesTarget: Target = target(
  'signatures',
  fc.record({
    event: fc.constantFrom(...events),
    part: fc.constantFrom('body', 'webhook-id', 'webhook-timestamp', 'webhook-signature'),
    made: changes,
  }),
  async ({ event, part, made }) => {
    const { headers } = await delivery(event)
    const told = Object.fromEntries(headers)
    const body = part === 'body' ? changedText(event, made) : event
    const header = changedText(told[part] ?? '', made)
    const given = part === 'body' ? told : { ...told, [part]: header }
    try {
      await verifyEvent(body, given, secret, { tolerance: Number.MAX_SAFE_INTEGER })
    } catch (error) {
      expectKind(error, EventError)
      return
    }
    const isSigned = part === 'webhook-signature' && header.split(' ').includes(told[part] ?? '')
    const isSame = part === 'body' ? body === event.toWellFormed() : header === told[part]
    must(isSigned || isSame, 'a message that was changed is not verified')
  },
)
