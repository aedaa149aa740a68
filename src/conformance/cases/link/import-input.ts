import { assertEqual, assertSameItems } from '../../assertions.ts'
import {
  type InvalidBody,
  invalidUuids,
  withoutEach,
  withWrongTypes,
} from '../../bodies/invalid-bodies.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import type { ObjectForm } from '../../shape.ts'
import {
  countConnected,
  importAndWait,
  importBody,
  importTeam,
  newUsers,
  recipe,
  submitImport,
  teamWithUsers,
} from './submit-import.ts'

const recipeFields: ObjectForm = {
  access_token: 'string',
  refresh_token: 'string',
  provider_id: 'string',
  expires_at: 'integer',
  oauth_scopes: 'array',
}

async function assertImportsRejected(
  team: TestedService,
  users: readonly string[],
  bodies: readonly InvalidBody[],
): Promise<void> {
  for (const { input, body } of bodies) {
    const waiting = { wait_for_completion: true, ...body }
    await team.reject('link.bulkImport', { body: waiting }, input)
    if (!team.offers('connections')) continue
    const count = await countConnected(team, users)
    assertEqual(count, 0, `the number of connected users after ${input}`)
  }
}

function withConnection(
  [valid = '']: readonly string[],
  connection: unknown,
): Record<string, unknown> {
  return importBody([], { connections: [recipe(valid), connection] })
}

export const importInputCases = defineCases(['user'], {
  '2.4/stored': {
    title: 'Stores the provider_id and oauth_scopes of every imported connection',
    rules: ['2.4/fields'],
    needs: ['user', 'connections'],
    async run(service) {
      const { team, users } = await teamWithUsers(service, 2)
      const sent = users.map((user, at) =>
        recipe(user, { provider_id: `account-${at}`, oauth_scopes: [`scope-${at}`, 'email'] }),
      )
      await importAndWait(team, users, { connections: sent })
      for (const { user_id, provider_id, oauth_scopes } of sent) {
        const [connection] = await team.connections(String(user_id))
        if (connection?.provider_id !== undefined) {
          assertEqual(connection.provider_id, provider_id, 'provider_id')
        }
        if (connection?.oauth_scopes !== undefined) {
          assertEqual(connection.oauth_scopes, oauth_scopes, 'oauth_scopes')
        }
      }
    },
  },
  '2.4/letters': {
    title: 'Stores provider_id and oauth_scopes unchanged, including letter case and spaces',
    rules: ['2.4/fields'],
    needs: ['user', 'connections'],
    async run(service) {
      const team = await importTeam(service)
      for (const provider_id of ['aBc-07', ' naïve 犬 🐕 ']) {
        const [user = ''] = await newUsers(team, 1)
        const oauth_scopes = ['Read:Sleep', 'openid email']
        const connections = [recipe(user, { provider_id, oauth_scopes })]
        const changes = { wait_for_completion: true, connections }
        // The specification does not define which values a service accepts.
        if ((await submitImport(team, [user], changes)).status !== 200) continue
        for (const stored of await team.connections(user)) {
          assertEqual(stored.provider_id ?? provider_id, provider_id, 'provider_id')
          assertEqual(stored.oauth_scopes ?? oauth_scopes, oauth_scopes, 'oauth_scopes')
        }
      }
    },
  },
  '2.4/expires-at': {
    title: 'Imports connections with empty oauth_scopes and different values of expires_at',
    rules: ['2.4/fields'],
    async run(service) {
      const team = await importTeam(service)
      for (const expires_at of [1_900_000_000, 2_147_483_647]) {
        const user = await team.user()
        const connections = [recipe(user, { expires_at, oauth_scopes: [] })]
        const { imported } = await importAndWait(team, [user], { connections })
        assertSameItems(imported, [user], 'user_ids_imported')
      }
    },
  },
  '4.3/required': {
    title: 'Rejects an import with missing fields or wrong types, and imports nothing',
    rules: ['4.3/body'],
    async run(service) {
      const { team, users } = await teamWithUsers(service, 1)
      const body = importBody(users)
      const fields: ObjectForm = {
        provider: 'string',
        connections: 'array',
        wait_for_completion: 'boolean',
      }
      const bodies = [
        ...withoutEach(body, ['provider', 'connections']),
        ...withWrongTypes(body, fields),
        { input: 'an object for connections', body: { ...body, connections: recipe('') } },
      ]
      await assertImportsRejected(team, users, bodies)
    },
  },
  '2.4/types': {
    title: 'Rejects wrong types in a connection to import, and imports nothing',
    rules: ['2.4/fields', '4.3/body'],
    async run(service) {
      const { team, users } = await teamWithUsers(service, 2)
      const [, other = ''] = users
      const wrong = [
        ...withWrongTypes(recipe(other), recipeFields).map(({ input, body }) => ({
          input,
          value: body,
        })),
        { input: 'a number in oauth_scopes', value: recipe(other, { oauth_scopes: ['email', 7] }) },
        { input: 'null as a connection', value: null },
        { input: 'a string as a connection', value: other },
        { input: 'an array as a connection', value: [recipe(other)] },
      ]
      const bodies = wrong.map(({ input, value }) => ({
        input,
        body: withConnection(users, value),
      }))
      await assertImportsRejected(team, users, bodies)
    },
  },
  '2.4/user-id': {
    title: 'Rejects an import with a user_id that is not a UUID, and imports nothing',
    rules: ['2.4/fields', '4.3/body'],
    async run(service) {
      const { team, users } = await teamWithUsers(service, 1)
      const bodies = [...invalidUuids, 7, null].map((user_id) => ({
        input: 'a user_id that is not a UUID',
        body: withConnection(users, recipe('', { user_id })),
      }))
      await assertImportsRejected(team, users, bodies)
    },
  },
  '2.4/required': {
    title: 'Rejects an import with a connection that lacks a field, and imports nothing',
    rules: ['2.4/fields'],
    assumption: 'every field of a connection except oauth_scopes is required',
    async run(service) {
      const { team, users } = await teamWithUsers(service, 2)
      const fields = ['user_id', 'access_token', 'refresh_token', 'provider_id', 'expires_at']
      const wrong = withoutEach(recipe(users[1] ?? ''), fields)
      const bodies = wrong.map(({ input, body }) => ({ input, body: withConnection(users, body) }))
      await assertImportsRejected(team, users, bodies)
    },
  },
})
