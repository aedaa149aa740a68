import { assertEqual, assertRejected } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import {
  countConnected,
  importAndWait,
  importTeam,
  newUsers,
  submitImport,
} from './submit-import.ts'

export const credentialCases = defineCases({
  '4.3/no-credentials': {
    title: 'Rejects every import of a team without any credential, and imports nothing',
    rules: ['4.3/preconditions', '5/credential'],
    needs: ['team', 'user'],
    async run(service) {
      const team = await importTeam(service, { oauthCredentials: [] })
      const users = await newUsers(team, 2)
      for (const provider of ['oura', 'fitbit', 'garmin']) {
        for (const wait_for_completion of [false, true]) {
          const response = await submitImport(team, users, { provider, wait_for_completion })
          assertRejected(response, 'an import without a credential')
        }
        if (!team.offers('connections')) continue
        const count = await countConnected(team, users, provider)
        assertEqual(count, 0, 'the number of connected users')
      }
    },
  },
  '4.3/own-credentials': {
    title: 'Imports for exactly the providers for which the team has credentials',
    rules: ['4.3/preconditions', '5/credential'],
    needs: ['team', 'user'],
    async run(service) {
      const providers = ['garmin', 'fitbit', 'oura']
      for (const oauthCredentials of [
        ['garmin'],
        ['oura'],
        ['garmin', 'fitbit'],
        ['oura', 'fitbit'],
      ]) {
        const team = await importTeam(service, { oauthCredentials })
        const users = await newUsers(team, 1)
        for (const provider of providers) {
          if (oauthCredentials.includes(provider)) await importAndWait(team, users, { provider })
          else
            assertRejected(
              await submitImport(team, users, { provider }),
              'an import without a credential',
            )
        }
      }
    },
  },
  '4.3/imported-again': {
    title: 'Stores the connection of the latest of several imports of a user',
    rules: ['2.4/fields', '4.3/body'],
    needs: ['user', 'connections'],
    assumption: 'a later import of a user replaces the connection',
    async run(service) {
      const team = await importTeam(service)
      const [user_id = ''] = await newUsers(team, 1)
      for (const round of ['One', 'two', 'Öäß 犬']) {
        const connection = {
          user_id,
          access_token: `access-${round}`,
          refresh_token: `refresh-${round}`,
          provider_id: ` At-${round}`,
          expires_at: 2_147_483_647,
          oauth_scopes: [`Read:${round}`, 'email'],
        }
        await importAndWait(team, [user_id], { connections: [connection] })
        const [stored] = await team.connections(user_id)
        const { provider_id, oauth_scopes } = connection
        assertEqual(stored?.provider_id ?? provider_id, provider_id, 'provider_id')
        assertEqual(stored?.oauth_scopes ?? oauth_scopes, oauth_scopes, 'oauth_scopes')
      }
    },
  },
})
