import { before, type Call, type Json, type Mutant, rejectCalls } from '../../mutant.ts'
import { booking } from '../targets.ts'

const sync = 'sync_confirmation_timeout_millisecond'
const asyncTimeout = 'async_confirmation_timeout_millisecond'
const notes = 'appointment_notes'

/** Sends another value instead of one of these. */
function replace(
  field: string,
  from: (value: Json) => boolean,
  to: Json | ((value: Json) => Json),
) {
  return before(booking, ({ body }: Call) => {
    const value = body[field]
    if (from(value)) body[field] = typeof to === 'function' ? to(value) : to
  })
}

const is =
  (...values: Json[]) =>
  (value: Json) =>
    values.includes(value)

/** Returns the mutants of a timeout with these bounds. */
function timeoutMutants(name: string, field: string, minimum: number, maximum: number): Mutant[] {
  const rule = `8/${name}-timeout`
  return [
    {
      name: `accepts a ${name} timeout below the minimum`,
      rule,
      between: replace(field, (value) => value < minimum && value > 0, minimum),
    },
    {
      name: `accepts a ${name} timeout of ${minimum - 1}`,
      rule,
      between: replace(field, is(minimum - 1), minimum),
    },
    {
      name: `accepts a ${name} timeout of ${maximum + 1}`,
      rule,
      between: replace(field, is(maximum + 1), maximum),
    },
    {
      name: `accepts a ${name} timeout of a billion milliseconds`,
      rule,
      between: replace(field, (value) => value > maximum, maximum),
    },
    {
      name: `rejects a ${name} timeout of ${minimum}`,
      rule,
      only: ['8'],
      between: rejectCalls(booking, ({ body }) => body[field] === minimum),
    },
    {
      name: `rejects a ${name} timeout of ${maximum}`,
      rule,
      only: ['8'],
      between: rejectCalls(booking, ({ body }) => body[field] === maximum),
    },
    {
      name: `rejects null for the ${name} timeout`,
      rule: '4.8/body',
      only: ['8'],
      between: rejectCalls(booking, ({ body }) => body[field] === null),
    },
    {
      name: `accepts a ${name} timeout of 0 for the default`,
      rule,
      between: replace(field, is(0), null),
    },
    {
      name: `rounds a fraction of a ${name} timeout`,
      rule: '4.8/body',
      only: ['8'],
      between: replace(field, (value) => value % 1 !== 0, Math.round),
    },
    {
      name: `accepts a ${name} timeout that is a string of digits`,
      rule: '4.8/body',
      only: ['8'],
      between: replace(field, is('2000'), minimum),
    },
    {
      name: `ignores a ${name} timeout of a wrong type`,
      rule: '4.8/body',
      only: ['8'],
      between: replace(field, (value) => typeof value === 'object' || value === true, null),
    },
  ]
}

export const bookingInputMutants: Mutant[] = [
  ...timeoutMutants('sync', sync, 1000, 10_000),
  ...timeoutMutants('async', asyncTimeout, 60_000, 172_800_000),
  {
    name: 'cuts notes after 1,000 characters',
    rule: '8/notes',
    between: replace(
      notes,
      (value) => value?.length > 1000,
      (value: string) => value.slice(0, 1000),
    ),
  },
  {
    name: 'accepts notes of 1,001 characters when the booking is asynchronous',
    rule: '8/notes',
    between: before(booking, ({ body }) => {
      if (body.async_confirmation) body[notes] = body[notes]?.slice(0, 1000)
    }),
  },
  {
    name: 'rejects notes of 1,000 characters',
    rule: '8/notes',
    between: rejectCalls(booking, ({ body }) => body[notes]?.length === 1000),
  },
  {
    name: 'accepts notes of at most 500 characters',
    rule: '8/notes',
    between: rejectCalls(booking, ({ body }) => body[notes]?.length > 500),
  },
  {
    name: 'rejects null for notes',
    rule: '4.8/body',
    only: ['2.6'],
    between: rejectCalls(booking, ({ body }) => body[notes] === null),
  },
  {
    name: 'requires notes',
    rule: '4.8/body',
    between: rejectCalls(booking, ({ body }) => !(notes in body)),
  },
  {
    name: 'ignores notes of a wrong type',
    rule: '4.8/body',
    between: replace(notes, (value) => value && typeof value !== 'string', null),
  },
  {
    name: 'converts numbers to notes',
    rule: '4.8/body',
    between: replace(notes, (value) => typeof value === 'number', String),
  },
  {
    name: 'removes line breaks from notes',
    rule: '2.6/notes',
    only: ['4.8'],
    between: replace(
      notes,
      (value) => value,
      (value: string) => value.replaceAll('\n', ' '),
    ),
  },
  {
    name: 'stores notes as ASCII',
    rule: '2.6/notes',
    only: ['4.8'],
    between: replace(
      notes,
      (value) => value,
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII.
      (value: string) => value.replace(/[^\x00-\x7f]/g, '?'),
    ),
  },
  {
    name: 'trims the end of long notes',
    rule: '8/notes',
    between: replace(
      notes,
      (value) => value?.length > 900,
      (value: string) => value.slice(0, -1),
    ),
  },
  {
    name: 'accepts a booking without a key',
    rule: '4.8/body',
    between: replace('booking_key', is(undefined), 'bk_confirm'),
  },
  {
    name: 'accepts null for the key',
    rule: '4.8/body',
    between: replace('booking_key', is(null), 'bk_confirm'),
  },
  {
    name: 'accepts a number for the key',
    rule: '4.8/body',
    between: replace('booking_key', is(7), 'bk_confirm'),
  },
  {
    name: 'reads the key from the query',
    rule: '4.8/body',
    between: before(booking, ({ body, url }) => {
      body.booking_key ??= url.searchParams.get('booking_key') ?? undefined
    }),
  },
  {
    name: 'accepts the first item of an array as the body',
    rule: '4.8/body',
    between: before(booking, (call) => {
      if (Array.isArray(call.body)) call.body = call.body[0]
    }),
  },
  {
    name: 'accepts any string for async_confirmation',
    rule: '4.8/body',
    between: replace('async_confirmation', (value) => typeof value === 'string', true),
  },
  {
    name: 'accepts a number for async_confirmation',
    rule: '4.8/body',
    between: replace('async_confirmation', (value) => typeof value === 'number', true),
  },
  {
    name: 'requires async_confirmation',
    rule: '4.8/body',
    between: rejectCalls(booking, ({ body }) => body.async_confirmation === undefined),
  },
  {
    name: 'books orders whose ids are not UUIDs',
    rule: '4.8/path',
    between: rejectCalls(/not-a-uuid.*book$/, () => true, 200),
  },
  {
    name: 'books orders that do not exist',
    rule: '4.8/path',
    between: rejectCalls(/6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55.*book$/, () => true, 200),
  },
  {
    name: 'blocks an order after an invalid request',
    rule: '4.8/body',
    between: (fetch) => {
      const blocked = new Set<string>()
      return async (input, init) => {
        const { pathname } = new URL(String(input))
        if (blocked.has(pathname)) return Response.json({}, { status: 409 })
        const response = await fetch(input, init)
        if (response.status === 422 && pathname.endsWith('/book')) blocked.add(pathname)
        return response
      }
    },
  },
]
