import { before, changeResponses, type Json, type Mutant, rejectCalls } from '../mutant.ts'
import { info, token } from './targets.ts'

export const usersMutants: Mutant[] = [
  // Users
  {
    name: 'never updates user info after the first time',
    only: ['4.2'],
    between: (fetch, key) => {
      const first = new Map<string, Json>()
      const keep = changeResponses(info, (body, { url }) => {
        const known = first.get(url.pathname)
        if (known) Object.assign(body, known)
        else first.set(url.pathname, { ...body })
      })
      return keep(fetch, key)
    },
  },
  {
    name: 'accepts user info without an email',
    only: ['2.1'],
    between: before(info, ({ body }) => {
      if (typeof body === 'object' && !('email' in body)) body.email = 'x@example.test'
    }),
  },
  {
    name: 'accepts null for a phone number',
    only: ['2.1'],
    between: before(info, ({ body }) => {
      body.phone_number ??= '+16025550100'
    }),
  },
  {
    name: 'accepts any string for an email',
    only: ['2.1'],
    between: before(info, ({ body }) => {
      if (typeof body.email === 'string') body.email = 'x@example.test'
    }),
  },
  {
    name: 'accepts the 30th of February for a dob',
    only: ['2.1'],
    between: before(info, ({ body }) => {
      if (body.dob === '1980-02-30') body.dob = '1980-02-28'
    }),
  },
  {
    name: 'accepts a number for a first name',
    only: ['2.1'],
    between: before(info, ({ body }) => {
      if (typeof body.first_name === 'number') body.first_name = String(body.first_name)
    }),
  },
  {
    name: 'drops the medical proxy',
    only: ['2.1'],
    between: changeResponses(info, (body) => {
      body.medical_proxy = null
    }),
  },
  {
    name: 'drops a race that it does not know',
    only: ['2.1'],
    between: changeResponses(info, (body) => {
      if (body.race === 'white_caucasian') body.race = 'other'
    }),
  },
  {
    name: 'rejects null for the second line of an address',
    only: ['2.1'],
    between: rejectCalls(info, ({ body }) => body?.address?.second_line === null),
  },
  {
    name: 'rejects a gender it does not know',
    only: ['2.1'],
    between: rejectCalls(info, ({ body }) => !['female', 'male'].includes(body?.gender)),
  },
  {
    name: 'returns the dob with a time',
    only: ['2.1', '4.2'],
    between: changeResponses(info, (body) => {
      body.dob = `${body.dob}T00:00:00Z`
    }),
  },
  {
    name: 'returns user info without the address',
    only: ['2.1'],
    between: changeResponses(info, (body) => {
      delete body.address
    }),
  },
  // Sign-in tokens
  {
    name: 'issues sign-in tokens for another user',
    only: ['4.7'],
    between: changeResponses(token, (body) => {
      body.user_id = '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55'
    }),
  },
  {
    name: 'issues empty sign-in tokens',
    only: ['4.7'],
    between: changeResponses(token, (body) => {
      body.sign_in_token = ''
    }),
  },
  {
    name: 'issues sign-in tokens for ids that are not UUIDs',
    only: ['4.7'],
    between: before(token, ({ url }) => {
      url.pathname = url.pathname.replace('not-a-uuid', '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55')
    }),
  },
]
