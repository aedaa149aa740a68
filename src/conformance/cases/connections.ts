import { deleteConnection } from '../../contract/link.ts'
import { assertEqual, assertRejected, assertSuccess, assertThat } from '../assertions.ts'
import { defineCases } from '../case.ts'
import type { Service } from '../service.ts'
import { assertShape, fieldOf } from '../shape.ts'

async function isConnected(service: Service, user_id: string, slug: string): Promise<boolean> {
  const params = { user_id, provider: slug }
  const { status, json } = await service.call(deleteConnection, { params })
  return status < 400 && fieldOf(json, 'success') === true
}

/** Connects a user and deletes the connection; gives the user and what is answered. */
async function deleted(service: Service, slug: string) {
  const user_id = await service.user()
  await service.connect(user_id, slug)
  const params = { user_id, provider: slug }
  const { json } = assertSuccess(await service.call(deleteConnection, { params }))
  assertShape(json, { success: 'boolean' }, 'the answer')
  return { user_id, json }
}

const cloud = 'oura'
const onDevice = ['apple_health_kit', 'health_connect', 'samsung_health']

const deletedTwice = 'deleting a connection that is not there answers 404 or success false'

export const connectionCases = defineCases({
  '4.10/success': {
    title: 'Deletes a connection and answers success',
    rules: ['4.10/response', '4.10/path'],
    needs: ['user', 'connect'],
    async run(service) {
      assertEqual(fieldOf((await deleted(service, cloud)).json, 'success'), true, 'success')
    },
  },
  '4.10/gone': {
    title: 'Has no connection to a cloud-based provider any more after its deletion',
    rules: ['4.10/rule'],
    needs: ['user', 'connect'],
    presumes: deletedTwice,
    async run(service) {
      const { user_id } = await deleted(service, cloud)
      assertThat(
        !(await isConnected(service, user_id, cloud)),
        'Expected the connection to be gone.',
      )
    },
  },
  '4.10/other-connections': {
    title: 'Keeps the other connections of a user',
    rules: ['4.10/rule'],
    needs: ['user', 'connect'],
    presumes: deletedTwice,
    async run(service) {
      const user_id = await service.user()
      for (const slug of [cloud, 'fitbit']) await service.connect(user_id, slug)
      const params = { user_id, provider: cloud }
      assertSuccess(await service.call(deleteConnection, { params }))
      assertThat(
        await isConnected(service, user_id, 'fitbit'),
        'Expected the other connection to stay.',
      )
    },
  },
  '4.10/auto-connect': {
    title: 'Keeps a connection to a phone in the default Auto Connect mode',
    rules: ['4.10/rule'],
    needs: ['user', 'connect'],
    presumes: `${deletedTwice}; the platforms of phones are ${onDevice.join(', ')}`,
    async run(service) {
      for (const slug of onDevice) {
        const { user_id } = await deleted(service, slug)
        assertThat(
          await isConnected(service, user_id, slug),
          `Expected the connection ${slug} to stay.`,
        )
      }
    },
  },
  '4.10/explicit': {
    title: 'Deletes a connection to a phone in the explicit mode of the SDK',
    rules: ['4.10/rule'],
    needs: ['team', 'user', 'connect'],
    presumes: deletedTwice,
    async run(service) {
      const team = await service.team({ sdkMode: 'explicit' })
      for (const slug of onDevice) {
        const { user_id } = await deleted(team, slug)
        assertThat(
          !(await isConnected(team, user_id, slug)),
          `Expected the connection ${slug} to go.`,
        )
      }
    },
  },
  '4.10/manual': {
    title: 'Knows the provider manual',
    rules: ['4.10/path'],
    needs: ['user', 'connect'],
    async run(service) {
      assertEqual(fieldOf((await deleted(service, 'manual')).json, 'success'), true, 'success')
    },
  },
  '4.10/uuid': {
    title: 'Refuses a user id that is no UUID',
    rules: ['4.10/path'],
    readOnly: true,
    async run(service) {
      const params = { user_id: 'not-a-uuid', provider: cloud }
      assertRejected(await service.call(deleteConnection, { params }), 'a user_id that is no UUID')
    },
  },
})
