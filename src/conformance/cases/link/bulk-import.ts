import {
  assertEqual,
  assertRejected,
  assertSameItems,
  assertSuccess,
  assertThat,
  NotApplicable,
} from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import {
  countConnected,
  idsOf,
  importAndWait,
  importProvider,
  importTeam,
  newUsers,
  submitImport,
  teamWithUsers,
} from './submit-import.ts'

export const bulkImportCases = defineCases(['user'], {
  '4.3/accepted': {
    title: 'Returns 202 for an import unless wait_for_completion is true',
    rules: ['4.3/queued', '4.3/body', '7/bulk-import', '3.2/queued', '4.3/availability'],
    async run(service) {
      const team = await importTeam(service)
      const user = await team.user()
      assertSuccess(await submitImport(team, [user]), 202)
      assertSuccess(await submitImport(team, [user], { wait_for_completion: false }), 202)
    },
  },
  '4.3/completed': {
    title: 'Waits for an import and returns every user in user_ids_imported or user_ids_failed',
    rules: ['4.3/wait', '4.3/response', '7/bulk-import', '4.3/body'],
    async run(service) {
      const team = await importTeam(service)
      for (const count of [1, 3, 2]) {
        const users = await newUsers(team, count)
        const { imported, failed } = await importAndWait(team, users)
        assertSameItems(imported, users, 'user_ids_imported')
        assertSameItems(failed, [], 'user_ids_failed')
        // The specification does not define whether importing an existing connection again succeeds.
        const again = await importAndWait(team, users)
        assertSameItems([...again.imported, ...again.failed], users, 'the users in both lists')
      }
    },
  },
  '4.3/every-user': {
    title: 'Imports the connections of 105 users in one request',
    rules: ['4.3/response', '4.3/volume'],
    async run(service) {
      const { team, users } = await teamWithUsers(service, 105)
      const response = await submitImport(team, users, { wait_for_completion: true })
      // A service that takes 200 ms per connection does not finish within the wait window of 20 seconds.
      if (response.status === 202) {
        if (!team.offers('advance'))
          throw new NotApplicable('the import takes more than 20 seconds')
        await team.setup.advance(3_600_000)
      } else {
        assertSameItems(
          idsOf(assertSuccess(response).json, 'user_ids_imported'),
          users,
          'user_ids_imported',
        )
      }
      if (!team.offers('connections')) return
      assertEqual(await countConnected(team, users), 105, 'the number of connected users')
    },
  },
  '4.3/connected': {
    title: "Connects every imported user, and no other, to the import's provider",
    rules: ['4.3/wait', '4.3/body', '2.4/fields'],
    needs: ['user', 'connections'],
    async run(service) {
      const team = await importTeam(service)
      for (const provider of [importProvider, 'fitbit']) {
        const users = await newUsers(team, 2)
        const bystander = await team.user()
        await importAndWait(team, users, { provider })
        for (const user of users) {
          const slugs = (await team.connections(user)).map((one) => one.provider)
          assertSameItems(slugs, [provider], "an imported user's connections")
        }
        const others = await team.connections(bystander)
        assertEqual(others.length, 0, "the number of another user's connections")
      }
    },
  },
  '4.3/two-providers': {
    title: "Keeps a user's connections to other providers when an import adds one",
    rules: ['4.3/body', '4.3/wait'],
    needs: ['user', 'connections'],
    async run(service) {
      const { team, users } = await teamWithUsers(service, 2)
      for (const provider of [importProvider, 'fitbit'])
        await importAndWait(team, users, { provider })
      for (const user of users) {
        const slugs = (await team.connections(user)).map((one) => one.provider)
        assertSameItems(slugs, [importProvider, 'fitbit'], "an imported user's connections")
      }
    },
  },
  '4.3/concurrent': {
    title: 'Accepts ten concurrent imports',
    rules: ['4.3/volume', '8/import-volume'],
    async run(service) {
      const team = await importTeam(service)
      const groups = await Promise.all(Array.from({ length: 10 }, () => newUsers(team, 1)))
      const responses = await Promise.all(groups.map((users) => submitImport(team, users)))
      for (const response of responses) assertSuccess(response, 202)
      const results = await Promise.all(groups.map((users) => importAndWait(team, users)))
      for (const [at, { imported }] of results.entries()) {
        assertSameItems(imported, groups[at] ?? [], 'user_ids_imported')
      }
    },
  },
  '4.3/twice-in-one': {
    title: 'Lists a user twice in user_ids_imported if an import contains the user twice',
    rules: ['4.3/response'],
    assumption: 'user_ids_imported lists a user once per imported connection',
    async run(service) {
      const team = await importTeam(service)
      const [user = ''] = await newUsers(team, 1)
      const { imported } = await importAndWait(team, [user, user])
      assertSameItems(imported, [user, user], 'user_ids_imported')
    },
  },
  '4.3/slugs': {
    title: 'Accepts imports from each of the 16 import providers',
    rules: ['4.3/body'],
    assumption: "the service's 16 import providers (4.3) use the slugs that the case sends",
    async run(service) {
      const { team, users } = await teamWithUsers(service, 1)
      for (const provider of importSlugs) {
        const { imported } = await importAndWait(team, users, { provider })
        assertSameItems(imported, users, 'user_ids_imported')
      }
    },
  },
  '7/failed-imports': {
    title: 'Lists exactly the users with failed imports in user_ids_failed',
    rules: ['7/failed-imports', '4.3/response'],
    needs: ['user', 'unimportableUser'],
    async run(service) {
      const team = await importTeam(service)
      for (let round = 0; round < 2; round += 1) {
        const good = await newUsers(team, 2)
        const bad = [await team.setup.unimportableUser(), await team.setup.unimportableUser()]
        const users = [good[0], bad[0], good[1], bad[1]].filter((user) => user !== undefined)
        const { imported, failed } = await importAndWait(team, users)
        assertSameItems(imported, good, 'user_ids_imported')
        assertSameItems(failed, bad, 'user_ids_failed')
        if (!team.offers('connections')) continue
        assertEqual(await countConnected(team, users), 2, 'the number of connected users')
      }
    },
  },
  '4.3/only-failed': {
    title: 'Returns 200 even if every connection of an import fails',
    rules: ['4.3/wait', '7/failed-imports'],
    needs: ['unimportableUser'],
    async run(service) {
      const team = await importTeam(service)
      const user = await team.setup.unimportableUser()
      const { imported, failed } = await importAndWait(team, [user])
      assertSameItems(imported, [], 'user_ids_imported')
      assertSameItems(failed, [user], 'user_ids_failed')
    },
  },
  '4.3/many': {
    title: 'Accepts more than 10,000 connections in one import',
    rules: ['4.3/volume', '8/import-volume'],
    async run(service) {
      const team = await importTeam(service)
      const user = await team.user()
      for (const count of [1001, 10_001]) {
        const users = Array.from({ length: count }, () => user)
        assertSuccess(await submitImport(team, users), 202)
      }
    },
  },
  '4.3/disabled': {
    title: 'Rejects imports from a team without link migration, and imports nothing',
    rules: ['4.3/availability'],
    needs: ['team', 'user'],
    async run(service) {
      const team = await service.team({ linkMigration: 'disabled' })
      const user = await team.user()
      for (const wait_for_completion of [false, true]) {
        assertRejected(
          await submitImport(team, [user], { wait_for_completion }),
          'an import from a team without link migration',
        )
      }
      if (!team.offers('connections')) return
      assertEqual(await countConnected(team, [user]), 0, 'the number of connected users')
    },
  },
  '4.3/credential': {
    title: 'Rejects an import if the team has no credential of its own for the provider',
    rules: ['4.3/preconditions', '5/credential'],
    needs: ['team', 'user'],
    async run(service) {
      const { team, users } = await teamWithUsers(service, 2, {
        oauthCredentials: ['fitbit', 'garmin'],
      })
      assertRejected(await submitImport(team, users), 'an import without a credential')
      if (team.offers('connections')) {
        assertEqual(await countConnected(team, users), 0, 'the number of connected users')
      }
      for (const provider of ['fitbit', 'garmin']) {
        const { imported } = await importAndWait(team, users, { provider })
        assertSameItems(imported, users, 'user_ids_imported')
      }
      assertRejected(await submitImport(team, users), 'an import without a credential')
    },
  },
  '4.3/no-waiting': {
    title: 'Responds to an import immediately unless wait_for_completion is true',
    rules: ['4.3/queued', '4.3/body', '4.3/volume'],
    needs: ['team', 'user', 'now'],
    async run(service) {
      const team = await importTeam(service, { importTime: 5000 })
      for (const changes of [{}, { wait_for_completion: false }]) {
        const users = await newUsers(team, 1)
        const start = await team.now()
        assertSuccess(await submitImport(team, users, changes), 202)
        const elapsed = (await team.now()) - start
        assertThat(elapsed < 5000, 'Expected a response within 5 seconds, found a slower one.')
      }
    },
  },
})

const importSlugs =
  `oura fitbit garmin strava wahoo ihealth withings google_fit dexcom_v3 polar cronometer omron
  whoop_v2 my_fitness_pal_v2 ultrahuman runkeeper`.split(/\s+/)
