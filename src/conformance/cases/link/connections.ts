import {
  assertEqual,
  assertIncludes,
  assertSameItems,
  assertSuccess,
  assertThat,
  NotApplicable,
} from '../../assertions.ts'
import { invalidUuids } from '../../bodies/invalid-bodies.ts'
import { completeUserInfo } from '../../bodies/people.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import type { Need } from '../../setup.ts'
import { assertShape, fieldOf } from '../../shape.ts'
import { create, insuranceOf } from '../insurance/shapes.ts'
import { storeInfo } from '../users/info.ts'

const [cloud, otherCloud] = ['oura', 'fitbit']
const onDevice = ['apple_health_kit', 'health_connect', 'samsung_health']

const needsConnections: readonly Need[] = ['user', 'connect', 'connections']

async function connectedUser(service: TestedService, slugs: readonly string[]): Promise<string> {
  const user = await service.user()
  for (const slug of slugs) await service.setup.connect(user, slug)
  return user
}

async function remove(service: TestedService, user_id: string, provider: string): Promise<void> {
  const json = await service.read('link.deleteConnection', { params: { user_id, provider } })
  assertShape(json, { success: 'boolean' }, 'the response')
  assertEqual(fieldOf(json, 'success'), true, 'success')
}

async function assertConnections(
  service: TestedService,
  user: string,
  slugs: readonly string[],
  name: string,
): Promise<void> {
  const found = (await service.connections(user)).map(({ provider }) => provider)
  assertSameItems(found, slugs, name)
}

/** Deletes a connection and returns whether it existed. */
async function isConnected(service: TestedService, user_id: string, provider: string) {
  const params = { user_id, provider }
  const response = await service.call('link.deleteConnection', { params })
  if (response.status === 404) return false
  return fieldOf(assertSuccess(response).json, 'success') === true
}

/**
 * Returns the tested team, or a team in Auto Connect mode if the tested team seems to use the explicit mode.
 *
 * @throws {NotApplicable} when the setup cannot create such a team.
 */
async function autoConnectTeam(service: TestedService): Promise<TestedService> {
  const user_id = await connectedUser(service, onDevice)
  for (const provider of onDevice) {
    await service.call('link.deleteConnection', { params: { user_id, provider } })
  }
  const isExplicit = (await service.connections(user_id)).length === 0
  if (!isExplicit) return service
  if (service.offers('team')) return service.team({ sdkMode: 'auto_connect' })
  throw new NotApplicable(
    "phone connections can be deleted, so the team seems to use the SDK's explicit mode; implement setup.team to test Auto Connect mode",
  )
}

export const connectionCases = defineCases(['user', 'connect'], {
  '4.10/success': {
    title: 'Deletes a connection and returns success true',
    rules: ['4.10/response', '4.10/path'],
    async run(service) {
      for (const slug of [cloud, otherCloud, cloud]) {
        await remove(service, await connectedUser(service, [slug]), slug)
      }
    },
  },
  '4.10/gone': {
    title: 'Deletes only the connection to the cloud-based provider in the path',
    rules: ['4.10/cloud', '4.10/path'],
    needs: needsConnections,
    async run(service) {
      const user = await connectedUser(service, [cloud, otherCloud, 'garmin'])
      const other = await connectedUser(service, [cloud, otherCloud])
      await remove(service, user, cloud)
      await assertConnections(service, user, [otherCloud, 'garmin'], 'the other connections')
      await assertConnections(service, other, [cloud, otherCloud], "another user's connections")
      await remove(service, other, otherCloud)
      await assertConnections(service, user, [otherCloud, 'garmin'], 'the other connections')
      await assertConnections(service, other, [cloud], "another user's connections")
    },
  },
  '4.10/unchanged': {
    title: "Deletes a connection without changing the user's info or insurance records",
    rules: ['4.10/cloud', '4.10/path'],
    needs: [...needsConnections, 'userInfo', 'insurances'],
    async run(service) {
      const user = await connectedUser(service, [cloud])
      await storeInfo(service, user, completeUserInfo('first'))
      await create(service, user, await insuranceOf(service, 'first'))
      const insurances = await service.setup.insurances(user)
      await remove(service, user, cloud)
      assertIncludes(await service.setup.userInfo(user), completeUserInfo('first'), 'the user info')
      assertEqual(await service.setup.insurances(user), insurances, 'the insurance records')
    },
  },
  '4.10/unknown-provider': {
    title: "Deletes a connection only for the provider's exact slug",
    rules: ['4.10/path', '4.10/response'],
    needs: needsConnections,
    async run(service) {
      const user = await connectedUser(service, [cloud, otherCloud])
      for (const provider of [
        'no_such_provider',
        cloud.toUpperCase(),
        cloud.slice(0, -1),
        '*',
        '%',
      ]) {
        const params = { user_id: user, provider }
        const { status, json } = await service.call('link.deleteConnection', { params })
        const isSuccess = status < 300 && fieldOf(json, 'success') === true
        assertThat(
          !isSuccess,
          'Expected a request with an unknown slug to fail, but found a success response.',
        )
        await assertConnections(service, user, [cloud, otherCloud], 'the connections')
      }
    },
  },
  '4.10/connected-again': {
    title: 'Deletes a connection again after it was deleted and re-created',
    rules: ['4.10/cloud', '4.10/response'],
    needs: needsConnections,
    async run(service) {
      const user = await connectedUser(service, [cloud])
      for (let round = 0; round < 2; round += 1) {
        await remove(service, user, cloud)
        await assertConnections(service, user, [], 'the connections')
        await service.setup.connect(user, cloud)
        await assertConnections(service, user, [cloud], 'the connections')
      }
    },
  },
  '4.10/auto-connect': {
    title: "Ignores requests to delete a phone's connection in the default Auto Connect mode",
    rules: ['4.10/auto-connect'],
    needs: needsConnections,
    async run(service) {
      const team = await autoConnectTeam(service)
      for (const slug of onDevice) {
        const user = await connectedUser(team, [slug, cloud])
        const params = { user_id: user, provider: slug }
        await team.call('link.deleteConnection', { params })
        await assertConnections(
          team,
          user,
          [slug, cloud],
          `the connections after the deletion of ${slug}`,
        )
        await remove(team, user, cloud)
        await assertConnections(team, user, [slug], 'the connections')
      }
    },
  },
  '4.10/explicit': {
    title: "Deletes a phone's connection in the SDK's explicit mode",
    rules: ['4.10/explicit', '4.10/auto-connect'],
    needs: ['team', ...needsConnections],
    async run(service) {
      const team = await service.team({ sdkMode: 'explicit' })
      for (const slug of onDevice) {
        const user = await connectedUser(team, [slug])
        await remove(team, user, slug)
        await assertConnections(team, user, [], `the connections after the deletion of ${slug}`)
      }
    },
  },
  '4.10/manual': {
    title: 'Deletes a connection to the provider with the slug manual',
    rules: ['4.10/path'],
    async run(service) {
      await remove(service, await connectedUser(service, ['manual']), 'manual')
    },
  },
  '4.10/uuid': {
    title: 'Rejects the deletion of a connection for a user id that is not a UUID',
    rules: ['4.10/path'],
    needs: [],
    readOnly: true,
    async run(service) {
      for (const user_id of invalidUuids) {
        const params = { user_id, provider: cloud }
        await service.reject('link.deleteConnection', { params }, 'a user_id that is not a UUID')
      }
    },
  },
  '4.10/deleted-twice': {
    title: 'Returns 404 or success false when a connection is deleted twice',
    rules: ['4.10/cloud'],
    assumption: 'deleting a missing connection returns 404 or success false',
    async run(service) {
      const user = await connectedUser(service, [cloud, otherCloud])
      await remove(service, user, cloud)
      const isKept = await isConnected(service, user, cloud)
      assertThat(!isKept, 'Expected the connection to be deleted, but found it.')
      const isOtherKept = await isConnected(service, user, otherCloud)
      assertThat(isOtherKept, 'Expected the other connection to still exist, but found none.')
    },
  },
  '4.10/slugs': {
    title: 'Deletes connections to each of the 40 providers',
    rules: ['4.10/path'],
    assumption: "the service's 40 providers (4.10) use the slugs that the case sends",
    async run(service) {
      const user = await service.user()
      for (const slug of deregistrationSlugs) {
        await service.setup.connect(user, slug)
        await remove(service, user, slug)
      }
    },
  },
})

const deregistrationSlugs =
  `oura fitbit garmin whoop strava renpho peloton wahoo zwift freestyle_libre
  abbott_libreview tandem_source freestyle_libre_ble eight_sleep withings apple_health_kit manual ihealth
  google_fit beurer_api beurer_ble omron omron_ble onetouch_ble accuchek_ble contour_ble dexcom dexcom_v3
  hammerhead my_fitness_pal health_connect samsung_health polar cronometer kardia whoop_v2 ultrahuman
  my_fitness_pal_v2 map_my_fitness runkeeper`.split(/\s+/)
