import { assertEqual, assertRejected, assertSuccess, assertThat } from '../assertions.ts'
import { defineCases } from '../case.ts'
import { deleteConnection } from '../operations.ts'
import type { TestedService } from '../service.ts'
import { assertShape, fieldOf } from '../shape.ts'

/** Deletes a connection to find out whether it exists. */
async function isConnected(
  service: TestedService,
  user_id: string,
  slug: string,
): Promise<boolean> {
  const params = { user_id, provider: slug }
  const { status, json } = await service.call(deleteConnection, { params })
  return status < 400 && fieldOf(json, 'success') === true
}

/** Connects a user and deletes the connection. Returns the user's id and the response body. */
async function connectAndDelete(service: TestedService, slug: string) {
  const user_id = await service.user()
  await service.connect(user_id, slug)
  const params = { user_id, provider: slug }
  const { json } = assertSuccess(await service.call(deleteConnection, { params }))
  assertShape(json, { success: 'boolean' }, 'the response')
  return { user_id, json }
}

const cloud = 'oura'
const onDevice = ['apple_health_kit', 'health_connect', 'samsung_health']

const deletedTwice = 'deleting a missing connection returns 404 or success false'

export const connectionCases = defineCases({
  '4.10/success': {
    title: 'Deletes a connection and returns success',
    rules: ['4.10/response', '4.10/path'],
    needs: ['user', 'connect'],
    async run(service) {
      assertEqual(
        fieldOf((await connectAndDelete(service, cloud)).json, 'success'),
        true,
        'success',
      )
    },
  },
  '4.10/gone': {
    title: 'Deletes a connection to a cloud-based provider permanently',
    rules: ['4.10/cloud'],
    needs: ['user', 'connect'],
    assumption: deletedTwice,
    async run(service) {
      const { user_id } = await connectAndDelete(service, cloud)
      assertThat(
        !(await isConnected(service, user_id, cloud)),
        'Expected the connection to be deleted.',
      )
    },
  },
  '4.10/other-connections': {
    title: 'Keeps the other connections of a user',
    rules: ['4.10/cloud'],
    needs: ['user', 'connect'],
    assumption: deletedTwice,
    async run(service) {
      const user_id = await service.user()
      for (const slug of [cloud, 'fitbit']) await service.connect(user_id, slug)
      const params = { user_id, provider: cloud }
      assertSuccess(await service.call(deleteConnection, { params }))
      assertThat(
        await isConnected(service, user_id, 'fitbit'),
        'Expected the other connection to remain.',
      )
    },
  },
  '4.10/auto-connect': {
    title: 'Keeps the connection of a phone in the default Auto Connect mode',
    rules: ['4.10/auto-connect'],
    needs: ['user', 'connect'],
    assumption: `${deletedTwice}; the providers of phones are ${onDevice.join(', ')}`,
    async run(service) {
      for (const slug of onDevice) {
        const { user_id } = await connectAndDelete(service, slug)
        assertThat(
          await isConnected(service, user_id, slug),
          `Expected the connection ${slug} to remain.`,
        )
      }
    },
  },
  '4.10/explicit': {
    title: 'Deletes the connection of a phone in the explicit mode of the SDK',
    rules: ['4.10/explicit'],
    needs: ['team', 'user', 'connect'],
    assumption: deletedTwice,
    async run(service) {
      const team = await service.team({ sdkMode: 'explicit' })
      for (const slug of onDevice) {
        const { user_id } = await connectAndDelete(team, slug)
        assertThat(
          !(await isConnected(team, user_id, slug)),
          `Expected the connection ${slug} to be deleted.`,
        )
      }
    },
  },
  '4.10/manual': {
    title: 'Accepts the provider manual',
    rules: ['4.10/path'],
    needs: ['user', 'connect'],
    async run(service) {
      assertEqual(
        fieldOf((await connectAndDelete(service, 'manual')).json, 'success'),
        true,
        'success',
      )
    },
  },
  '4.10/uuid': {
    title: 'Rejects a user id that is not a UUID',
    rules: ['4.10/path'],
    readOnly: true,
    async run(service) {
      const params = { user_id: 'not-a-uuid', provider: cloud }
      assertRejected(
        await service.call(deleteConnection, { params }),
        'a user_id that is not a UUID',
      )
    },
  },
})
