import { assertEqual, assertSameId, assertThat, ExpectationError } from '../../assertions.ts'
import { assertUnchanged, invalidUuids } from '../../bodies/invalid-bodies.ts'
import { completeUserInfo } from '../../bodies/people.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import { assertShape, fieldOf } from '../../shape.ts'
import { storeInfo } from './info.ts'

async function createToken(service: TestedService, user_id: string): Promise<string> {
  const json = await service.read('users.createSignInToken', { params: { user_id } })
  assertShape(json, { user_id: 'uuid', sign_in_token: 'string' }, 'the response')
  assertSameId(fieldOf(json, 'user_id'), user_id, 'user_id')
  const token = String(fieldOf(json, 'sign_in_token'))
  assertThat(token !== '', 'Expected a non-empty sign_in_token, but found an empty one.')
  return token
}

async function signIn(service: TestedService, token: string): Promise<string> {
  try {
    return await service.setup.signIn(token)
  } catch {
    throw new ExpectationError(
      'Expected the token to sign in its user, but found an error thrown by `setup.signIn`.',
    )
  }
}

export const signInTokenCases = defineCases([], {
  '4.7/token': {
    title: 'Issues a sign-in token for the user in the path, without a request body',
    rules: ['2.3/fields', '4.7/path', '4.7/response', '5/sign-in'],
    needs: ['user'],
    async run(service) {
      await createToken(service, await service.user())
    },
  },
  '4.7/users': {
    title: 'Issues a different sign-in token for every user',
    rules: ['2.3/fields', '4.7/path', '4.7/response'],
    needs: ['user'],
    async run(service) {
      const users = [await service.user(), await service.user(), await service.user()]
      const tokens: string[] = []
      for (const user of users) tokens.push(await createToken(service, user))
      assertThat(
        new Set(tokens).size === 3,
        'Expected three different tokens, but found duplicates.',
      )
      await createToken(service, users[0] ?? '')
    },
  },
  '5/sign-in': {
    title: "Signs in a token's user, regardless of other tokens",
    rules: ['5/sign-in', '4.7/response', '4.7/path'],
    needs: ['user', 'signIn'],
    async run(service) {
      const users = [await service.user(), await service.user()]
      const tokens: { user: string; token: string }[] = []
      for (const user of [...users, ...users]) {
        tokens.push({ user, token: await createToken(service, user) })
      }
      for (const { user, token } of tokens) {
        assertEqual(await signIn(service, token), user, 'the signed-in user')
      }
    },
  },
  '4.7/unchanged': {
    title: "Issues a sign-in token without changing the user's data",
    rules: ['4.7/response'],
    needs: ['user', 'userInfo'],
    async run(service) {
      const user = await service.user()
      await storeInfo(service, user, completeUserInfo('first'))
      const create = async () => void (await createToken(service, user))
      await assertUnchanged(service, user, create, 'a sign-in token')
    },
  },
  '4.7/uuid': {
    title: 'Rejects a request for a sign-in token if the user id is not a UUID',
    rules: ['4.7/path'],
    readOnly: true,
    async run(service) {
      for (const user_id of invalidUuids) {
        await service.reject(
          'users.createSignInToken',
          { params: { user_id } },
          'a user_id that is not a UUID',
        )
      }
    },
  },
})
