import { setTimeout as sleep } from 'node:timers/promises'
import {
  after,
  changeResponses,
  type Json,
  type Mutant,
  rejectCalls,
  sending,
  sendingAll,
} from '../mutant.ts'
import { imports, info, insurance, providers, token } from './targets.ts'

/** Changes every object in a JSON value, the innermost first. */
function eachObject(value: Json, change: (object: Json) => Json): Json {
  if (Array.isArray(value)) return value.map((item) => eachObject(item, change))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, eachObject(inner, change)])
  return change(Object.fromEntries(entries))
}

const reverseKeys = (object: Json) => Object.fromEntries(Object.entries(object).toReversed())
const addField = (object: Json) => ({ ...object, 'x-unknown': { nested: [1, null, 'text'] } })

/** The cases that call the service; the others read events only. */
const calls = ['2', '3', '4', '5', '7', '8']

/** Changes the bodies of all successful responses. */
function eachBody(change: (body: Json) => Json): NonNullable<Mutant['between']> {
  return after(/./, ({ status, body }) => (status < 400 ? { body: change(body) } : undefined))
}

/** Changes every rejection. */
function eachRejection(change: (status: number) => Response): NonNullable<Mutant['between']> {
  return (fetch) => async (input, init) => {
    const response = await fetch(input, init)
    return response.status >= 400 && response.status < 500 ? change(response.status) : response
  }
}

/** Sends the text of each JSON response in another form. */
function eachText(change: (text: string) => string): NonNullable<Mutant['between']> {
  return (fetch) => async (input, init) => {
    const response = await fetch(input, init)
    if (!response.headers.get('content-type')?.startsWith('application/json')) return response
    return new Response(change(await response.text()), response)
  }
}

/** Returns JSON responses without a content type. */
const withoutType: NonNullable<Mutant['between']> = (fetch) => async (input, init) => {
  const response = await fetch(input, init)
  if (!response.headers.get('content-type')?.startsWith('application/json')) return response
  return new Response(await response.arrayBuffer(), { status: response.status })
}

/** Returns responses with another content type. */
function withType(type: string): NonNullable<Mutant['between']> {
  return (fetch) => async (input, init) => {
    const response = await fetch(input, init)
    if (response.headers.get('content-type') !== 'application/json') return response
    return new Response(await response.arrayBuffer(), {
      status: response.status,
      headers: { 'Content-Type': type },
    })
  }
}

const statuses = [400, 403, 404, 451]

/** Legal variations: no case may find them. */
export const controls: Mutant[] = [
  {
    name: 'returns unknown fields in every object',
    between: eachBody((body) => eachObject(body, addField)),
    only: ['2.1', '2.2', '2.3', '2.7', '3', '4.1', '4.2', '4.3', '4.7', '4.8', '4.9', '4.10'],
  },
  {
    name: 'returns the keys of objects in another order',
    only: calls,
    between: eachBody((body) => eachObject(body, reverseKeys)),
  },
  {
    name: 'indents its JSON',
    only: calls,
    between: eachText((text) => JSON.stringify(JSON.parse(text), null, 2)),
  },
  {
    name: 'escapes letters in its JSON',
    only: calls,
    between: eachText((text) =>
      text.replace(
        /[^ -~]/g,
        (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    ),
  },
  {
    name: 'lists providers in another order',
    only: ['2.7', '4.9'],
    between: changeResponses(providers, (body) => body.reverse()),
  },
  {
    name: 'lists users of an import in another order',
    only: ['2.4', '4.3', '7'],
    between: changeResponses(imports, (body) => {
      body.user_ids_imported.reverse()
      body.user_ids_failed.reverse()
    }),
  },
  {
    name: 'returns a media type with a charset',
    only: calls,
    between: withType('application/json; charset=utf-8'),
  },
  {
    name: 'returns a media type in upper case',
    only: calls,
    between: withType('APPLICATION/JSON;Charset=UTF-8'),
  },
  ...statuses.map(
    (status): Mutant => ({
      name: `rejects requests with the status ${status}`,
      only: calls,
      between: eachRejection(() => Response.json({ detail: 'No' }, { status })),
    }),
  ),
  {
    name: 'rejects requests with an empty body',
    only: calls,
    between: eachRejection((status) => new Response(null, { status })),
  },
  {
    name: 'rejects requests with a page of HTML',
    only: calls,
    between: eachRejection(
      (status) => new Response('<h1>No</h1>', { status, headers: { 'content-type': 'text/html' } }),
    ),
  },
  {
    name: 'rejects requests with problem details',
    only: calls,
    between: eachRejection(
      (status) =>
        new Response('{"title":"No"}', {
          status,
          headers: { 'content-type': 'application/problem+json' },
        }),
    ),
  },
  ...[info, insurance, token].map(
    (line): Mutant => ({
      name: `responds 201 to ${String(line)}`,
      only: ['2', '4', '5'],
      between: after(line, ({ status }) => (status === 200 ? { status: 201 } : undefined)),
    }),
  ),
  {
    name: 'returns companies without a name',
    only: ['2.2', '4', '4.1'],
    between: changeResponses(insurance, ({ company }) => delete company.name),
  },
  {
    name: 'returns companies without an address',
    only: ['2.2', '4', '4.1'],
    between: changeResponses(insurance, ({ company }) => delete company.address),
  },
  {
    name: 'returns companies without fields',
    only: ['2.2', '4', '4.1'],
    between: changeResponses(insurance, (body) => {
      body.company = {}
    }),
  },
  {
    name: 'returns companies whose address has a city only',
    only: ['2.2', '4', '4.1'],
    between: changeResponses(insurance, ({ company }) => {
      company.address = { city: company.address.city }
    }),
  },
  {
    name: 'omits fields of insurances that are null',
    only: ['2.2', '4', '4.1'],
    between: changeResponses(insurance, (body) => {
      for (const field of ['group_id', 'guarantor']) if (body[field] === null) delete body[field]
    }),
  },
  {
    name: 'omits fields of user info that are null',
    only: ['2.1', '4', '4.2'],
    between: changeResponses(info, (body) => {
      for (const [field, value] of Object.entries(body)) if (value === null) delete body[field]
    }),
  },
  {
    name: 'returns an empty second line of user info instead of null',
    only: ['2.1', '4', '4.2'],
    between: changeResponses(info, ({ address }) => {
      address.second_line ??= ''
    }),
  },
  {
    name: 'lists providers without optional fields',
    only: ['2.7', '4.9'],
    between: changeResponses(providers, (body) => {
      for (const one of body) {
        delete one.auth_type
        delete one.supported_resources
      }
    }),
  },
  {
    name: 'lists providers whose optional fields are null',
    only: ['2.7', '4.9'],
    between: changeResponses(providers, (body) => {
      for (const one of body) Object.assign(one, { auth_type: null, supported_resources: null })
    }),
  },
  {
    name: 'lists providers without logos',
    only: ['2.7', '4.9', '6'],
    between: changeResponses(providers, (body) => {
      for (const one of body) one.logo = null
    }),
  },
  {
    name: 'lists a provider with an empty name',
    only: ['2.7', '4.9'],
    between: changeResponses(providers, (body) => {
      for (const one of body) if (one.slug === 'oura') one.name = ''
    }),
  },
  { name: 'sends JSON without a content type', only: calls, between: withoutType },
  { name: "uses the SDK's explicit mode", only: ['4.10'], options: { sdkMode: 'explicit' } },
  {
    name: 'lists providers with unknown values',
    only: ['2.7', '4.9'],
    between: changeResponses(providers, (body) => {
      for (const one of body.filter(({ slug }: Json) => slug.length < 6)) {
        one.auth_type = 'passkey'
        one.supported_resources.push('brain_waves')
      }
    }),
  },
  {
    name: 'returns an empty body with 202',
    only: ['2.4', '4.3', '7'],
    between: (fetch) => async (input, init) => {
      const response = await fetch(input, init)
      return response.status === 202 ? new Response(null, { status: 202 }) : response
    },
  },
  {
    name: 'rejects an insurance with a company',
    only: ['2.2', '4', '4.1'],
    between: rejectCalls(insurance, ({ body }) => body.company !== undefined),
  },
  {
    name: 'takes two milliseconds longer for every request',
    only: ['2.1', '4.1', '4.3', '5', '6'],
    between: (fetch) => async (input, init) => {
      await sleep(2)
      return fetch(input, init)
    },
  },
  { name: 'has no health data', options: { generatedData: false } },
  { name: 'knows its payors only', options: { strictPayors: true } },
  { name: 'accepts listed values only', options: { strictEnumerations: true } },
  { name: 'creates no users for unknown ids', options: { autoCreateUsers: false } },
  {
    name: 'returns success false for a missing connection',
    options: { deleteMissingConnection: 'success_false' },
  },
  { name: 'still sends deprecated fields', options: { deprecatedFields: 'always' } },
  { name: 'issues tokens that are valid for a minute', options: { signInTokenLifetime: '1m' } },
  { name: 'has another seed', options: { seed: 'another seed' } },
  {
    name: 'is in another year',
    options: { now: '2027-03-14T23:59:59Z' },
    only: ['2.1', '4.1', '4.3', '4.7', '6'],
  },
  {
    name: 'names regional plans in its own way',
    options: { regionalPayors: { MEDFED: { CA: 'CALMED', NY: '10045' } } },
  },
  {
    name: 'sends the event of a connection after its data',
    setup: sendingAll((events) => {
      const isCreated = (at: number) => events[at]?.event_type === 'provider.connection.created'
      return events.map((event, at) => {
        if (isCreated(at)) return events[at + 1] ?? event
        return isCreated(at - 1) ? events[at - 1] : event
      })
    }),
  },
  {
    name: 'sends unknown fields in events',
    setup: sending((event) => [eachObject(event, addField)]),
  },
  {
    name: 'sends events of unknown types',
    setup: sending((event) => [{ event_type: 'team.heartbeat' }, event]),
  },
  {
    name: 'sends unknown values in events',
    setup: sending((event) => {
      if (event.data?.source?.type) event.data.source.type = 'implant'
      return [event]
    }),
  },
  {
    name: 'sends sources without app_id',
    setup: sending((event) => {
      delete event.data?.source?.app_id
      return [event]
    }),
  },
  {
    name: 'sends events without a logo',
    setup: sending((event) => {
      if (event.data?.provider?.logo) event.data.provider.logo = null
      return [event]
    }),
  },
]
