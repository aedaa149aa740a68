import { before, change, changeResponses, drop, type Mutant, stick, withFirst } from '../mutant.ts'
import { token } from './targets.ts'

const someone = '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55'

export const signInTokensMutants: Mutant[] = [
  {
    rule: '4.7/response',
    name: 'issues sign-in tokens for another user',
    between: changeResponses(token, (body) => {
      body.user_id = someone
    }),
  },
  {
    rule: '2.3/fields',
    name: 'issues empty sign-in tokens',
    only: ['4.7'],
    between: changeResponses(token, (body) => {
      body.sign_in_token = ''
    }),
  },
  {
    rule: '2.3/fields',
    name: 'returns no user with a sign-in token',
    only: ['4.7'],
    between: changeResponses(token, drop('user_id')),
  },
  {
    rule: '2.3/fields',
    name: 'returns a sign-in token as an object',
    only: ['4.7'],
    between: changeResponses(
      token,
      change('sign_in_token', (value) => ({ value })),
    ),
  },
  {
    rule: '4.7/response',
    name: 'returns the first sign-in token to everyone',
    between: stick(token),
  },
  {
    rule: '5/sign-in',
    name: 'returns the first sign-in token with the own user',
    between: withFirst((first) =>
      changeResponses(token, (body) => {
        body.sign_in_token = first(body.sign_in_token)
      }),
    ),
  },
  {
    rule: '5/sign-in',
    name: 'issues tokens that sign in nobody',
    between: changeResponses(
      token,
      change('sign_in_token', (value) => [...value].toReversed().join('')),
    ),
  },
  {
    rule: '4.7/path',
    name: 'issues sign-in tokens for ids that are not UUIDs',
    between: before(token, ({ url }) => {
      url.pathname = url.pathname.replace('not-a-uuid', someone)
    }),
  },
  {
    rule: '4.7/path',
    name: 'issues sign-in tokens for UUIDs that are too short',
    between: before(token, ({ url }) => {
      url.pathname = url.pathname.replace(/user\/([0-9a-f-]{35})\//, 'user/$15/')
    }),
  },
  {
    rule: '4.7/path',
    name: 'issues sign-in tokens for UUIDs that are too long',
    between: before(token, ({ url }) => {
      url.pathname = url.pathname.replace(/user\/([0-9a-f-]{36})[^/]+/, 'user/$1')
    }),
  },
  {
    rule: '4.7/path',
    name: 'requires a body to create a sign-in token',
    between: (fetch) => async (input, init) => {
      const isToken = String(input).endsWith('/sign_in_token')
      return isToken && !init?.body ? Response.json({}, { status: 422 }) : fetch(input, init)
    },
  },
]
