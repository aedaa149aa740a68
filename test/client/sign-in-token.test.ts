import { expect, it } from 'vitest'
import { createMock } from '../../mock/index.ts'
import { ResponseValidationError, ServiceClient } from '../../src/index.ts'
import { userId } from '../support/bodies.ts'

it('rejects a sign-in token for another user (4.7)', async () => {
  const team = createMock().team()
  const client = new ServiceClient(team.connection())
  const other = '00000000-0000-4000-8000-000000000000'
  team.override('users.createSignInToken', ({ body }) => ({ body: { ...body, user_id: other } }))
  const error = await client.users.createSignInToken(userId).catch((found) => found)
  if (!(error instanceof ResponseValidationError)) throw error
  expect(error.issues).toEqual([
    { path: 'response.user_id', expected: 'the user_id of the request' },
  ])
  expect(error.message).not.toContain(other)
  const token = await client.users.createSignInToken(userId, { validation: 'off' })
  expect(token.user_id).toBe(other)
})

it('accepts a sign-in token with the id in another case (4.7)', async () => {
  const client = new ServiceClient(createMock().connection())
  const { user_id } = await client.users.createSignInToken(userId.toUpperCase())
  expect(user_id).toBe(userId)
})
