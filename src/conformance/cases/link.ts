import { bulkImport, deleteConnection, listBulkOps, listProviders } from '../../contract/link.ts'
import { bulkImportProviders } from '../../contract/values/providers.ts'
import { recipe, without } from '../bodies.ts'
import { cases } from '../case.ts'
import { refused, same, succeeded, that } from '../expect.ts'
import type { Answer, Service } from '../service.ts'
import { fieldOf, hasShape, isObject, type Shape } from '../shape.ts'

const provider: Shape = {
  name: 'string',
  slug: 'string',
  description: 'string',
  logo: 'url | null',
  'auth_type?': 'string',
  'supported_resources?': ['string'],
}

const imported: Shape = { user_ids_imported: ['uuid'], user_ids_failed: ['uuid'] }

const theProvider = bulkImportProviders[0]

function importBody(connections: unknown[], changes: Record<string, unknown> = {}) {
  return { provider: theProvider, connections, ...changes }
}

function submit(service: Service, userId: string, count: number, changes = {}): Promise<Answer> {
  const connections = Array.from({ length: count }, () => recipe(userId))
  return service.call(bulkImport, { body: importBody(connections, changes) })
}

/** An operation of the list, which is presumed to have the newest one first. */
async function newestOp(service: Service): Promise<Record<string, unknown>> {
  const ops = fieldOf(succeeded(await service.call(listBulkOps)).json, 'data')
  const [newest] = Array.isArray(ops) ? ops : []
  that(isObject(newest), 'Expected the list of bulk operations to have the one submitted.')
  return newest
}

const bulkOps = 'GET /v2/link/bulk_op lists the operations, the newest first'
const deletedTwice = 'deleting a connection that is not there answers 404 or success false'

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
  const { json } = succeeded(await service.call(deleteConnection, { params }))
  hasShape(json, { success: 'boolean' }, 'the answer')
  return { user_id, json }
}

const cloud = 'oura'
const onDevice = ['apple_health_kit', 'health_connect', 'samsung_health']

export const linkCases = cases({
  '2.4/types': {
    title: 'Refuses values of other types in a connection to import',
    rules: ['2.4/fields'],
    needs: ['user'],
    async run(service) {
      const user_id = await service.user()
      const wrong = {
        user_id: 'not-a-uuid',
        access_token: 7,
        refresh_token: 7,
        provider_id: 7,
        expires_at: 'soon',
        oauth_scopes: 'email',
      }
      for (const [field, value] of Object.entries(wrong)) {
        const body = importBody([recipe(user_id, { [field]: value })])
        refused(await service.call(bulkImport, { body }), `another type for ${field}`)
      }
    },
  },
  '2.4/accepted': {
    title: 'Takes a connection with all of its fields',
    rules: ['2.4/fields'],
    needs: ['user'],
    async run(service) {
      succeeded(await submit(service, await service.user(), 1))
    },
  },
  '4.3/accepted': {
    title: 'Accepts an import with 202 and goes on in the background, by default',
    rules: ['4.3/queued', '4.3/body', '7/bulk-import', '3.2/queued'],
    needs: ['user'],
    async run(service) {
      const user = await service.user()
      succeeded(await submit(service, user, 1), 202)
      succeeded(await submit(service, user, 1, { wait_for_completion: false }), 202)
    },
  },
  '4.3/completed': {
    title: 'Waits, and answers 200 with every user in one of both lists',
    rules: ['4.3/wait', '4.3/response', '7/bulk-import'],
    needs: ['user'],
    async run(service) {
      const user = await service.user()
      const answer = succeeded(await submit(service, user, 1, { wait_for_completion: true }), 200)
      hasShape(answer.json, imported, 'the answer')
      const { user_ids_imported, user_ids_failed } = answer.json as Record<string, string[]>
      const all = [...(user_ids_imported ?? []), ...(user_ids_failed ?? [])]
      same(all, [user], 'the users of both lists')
    },
  },
  '4.3/failed': {
    title: 'Reports a connection of a user it does not know in user_ids_failed',
    rules: ['4.3/response', '7/failed-imports'],
    presumes: 'an import of an unknown user fails',
    async run(service) {
      const stranger = crypto.randomUUID()
      const answer = succeeded(
        await submit(service, stranger, 1, { wait_for_completion: true }),
        200,
      )
      same(fieldOf(answer.json, 'user_ids_failed'), [stranger], 'user_ids_failed')
      same(fieldOf(answer.json, 'user_ids_imported'), [], 'user_ids_imported')
    },
  },
  '4.3/not-in-time': {
    title: 'Waits 20 seconds, and answers 202 when the import takes longer',
    rules: ['4.3/wait', '7/bulk-import', '8/wait-window'],
    needs: ['team', 'user'],
    async run(service) {
      const team = await service.team({ importTime: 3000 })
      const answer = await submit(team, await team.user(), 7, { wait_for_completion: true })
      succeeded(answer, 202)
    },
  },
  '4.3/just-in-time': {
    title: 'Answers 200 when the import takes a little less than 20 seconds',
    rules: ['4.3/wait', '7/bulk-import', '8/wait-window'],
    needs: ['team', 'user'],
    async run(service) {
      const team = await service.team({ importTime: 3000 })
      const answer = await submit(team, await team.user(), 6, { wait_for_completion: true })
      succeeded(answer, 200)
    },
  },
  '4.3/background': {
    title: 'Completes an import in the background that it accepted',
    rules: ['4.3/queued', '4.3/progress', '3.2/queued'],
    needs: ['team', 'user', 'advance'],
    presumes: bulkOps,
    async run(service) {
      const team = await service.team({ importTime: 1000 })
      succeeded(await submit(team, await team.user(), 10), 202)
      const early = await newestOp(team)
      same(early['status'], 'in_progress', 'status')
      await team.advance(11_000)
      const late = await newestOp(team)
      same(late['status'], 'success', 'status')
      same([late['pending'], late['processed']].join(), '0,10', 'pending and processed')
    },
  },
  '4.3/many': {
    title: 'Accepts any number of connections, at once',
    rules: ['4.3/volume', '8/import-volume'],
    needs: ['user'],
    async run(service) {
      succeeded(await submit(service, await service.user(), 2000), 202)
    },
  },
  '4.3/short-period': {
    title: 'Accepts further imports while one runs, and disrupts none',
    rules: ['4.3/volume'],
    needs: ['team', 'user', 'advance'],
    presumes: bulkOps,
    async run(service) {
      const team = await service.team({ importTime: 1000 })
      const user = await team.user()
      for (let at = 0; at < 3; at += 1) succeeded(await submit(team, user, 5), 202)
      await team.advance(16_000)
      const ops = fieldOf(succeeded(await team.call(listBulkOps)).json, 'data')
      that(Array.isArray(ops) && ops.length === 3, 'Expected three bulk operations.')
      for (const op of ops) same(fieldOf(op, 'status'), 'success', 'status')
    },
  },
  '4.3/required': {
    title: 'Refuses an import without provider or connections, and other types',
    rules: ['4.3/body'],
    needs: ['user'],
    async run(service) {
      const body = importBody([recipe(await service.user())])
      for (const field of ['provider', 'connections']) {
        refused(await service.call(bulkImport, { body: without(body, field) }), `no ${field}`)
      }
      const wrong = { provider: 7, connections: {}, wait_for_completion: 'long' }
      for (const [field, value] of Object.entries(wrong)) {
        const answer = await service.call(bulkImport, { body: { ...body, [field]: value } })
        refused(answer, `another type for ${field}`)
      }
    },
  },
  '4.3/disabled': {
    title: 'Refuses imports of a team for which link migration is not enabled',
    rules: ['4.3/availability'],
    needs: ['team', 'user'],
    async run(service) {
      const team = await service.team({ linkMigration: 'disabled' })
      refused(await submit(team, await team.user(), 1), 'an import')
    },
  },
  '4.3/credential': {
    title: "Refuses an import without the team's own credential for the provider",
    rules: ['4.3/preconditions', '5/credential'],
    needs: ['team', 'user'],
    async run(service) {
      const [, other] = bulkImportProviders
      const team = await service.team({ oauthCredentials: [other] })
      const user = await team.user()
      refused(await submit(team, user, 1), 'an import')
      succeeded(await submit(team, user, 1, { provider: other }))
    },
  },
  '2.7/providers': {
    title: 'Lists providers with their fields',
    rules: ['2.7/fields', '2.7/supported-resources', '4.9/response'],
    readOnly: true,
    async run(service) {
      const { json } = succeeded(await service.call(listProviders))
      hasShape(json, [provider], 'the list of providers')
    },
  },
  '2.7/slugs': {
    title: 'Lists every provider once',
    rules: ['4.9/response'],
    readOnly: true,
    async run(service) {
      const { json } = succeeded(await service.call(listProviders))
      const slugs = (Array.isArray(json) ? json : []).map((one) => fieldOf(one, 'slug'))
      that(new Set(slugs).size === slugs.length, 'Expected every slug once.')
    },
  },
  '4.9/source-type': {
    title: 'Lists some of the providers when asked for a source type',
    rules: ['4.9/query'],
    readOnly: true,
    async run(service) {
      const list = async (query: Record<string, string>) => {
        const { json } = succeeded(await service.call(listProviders, { query }))
        that(Array.isArray(json), 'Expected a list of providers.')
        return json.map((one) => fieldOf(one, 'slug'))
      }
      const all = await list({})
      for (const source_type of ['app', 'no_such_type']) {
        const some = await list({ source_type })
        that(
          some.every((slug) => all.includes(slug)),
          'Expected providers of the whole list only.',
        )
        that(some.length < all.length, `Expected fewer providers of source_type ${source_type}.`)
      }
    },
  },
  '4.10/success': {
    title: 'Deletes a connection and answers success',
    rules: ['4.10/response', '4.10/path'],
    needs: ['user', 'connect'],
    async run(service) {
      same(fieldOf((await deleted(service, cloud)).json, 'success'), true, 'success')
    },
  },
  '4.10/gone': {
    title: 'Has no connection to a cloud-based provider any more after its deletion',
    rules: ['4.10/rule'],
    needs: ['user', 'connect'],
    presumes: deletedTwice,
    async run(service) {
      const { user_id } = await deleted(service, cloud)
      that(!(await isConnected(service, user_id, cloud)), 'Expected the connection to be gone.')
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
      succeeded(await service.call(deleteConnection, { params }))
      that(await isConnected(service, user_id, 'fitbit'), 'Expected the other connection to stay.')
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
        that(await isConnected(service, user_id, slug), `Expected the connection ${slug} to stay.`)
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
        that(!(await isConnected(team, user_id, slug)), `Expected the connection ${slug} to go.`)
      }
    },
  },
  '4.10/manual': {
    title: 'Knows the provider manual',
    rules: ['4.10/path'],
    needs: ['user', 'connect'],
    async run(service) {
      same(fieldOf((await deleted(service, 'manual')).json, 'success'), true, 'success')
    },
  },
  '4.10/uuid': {
    title: 'Refuses a user id that is no UUID',
    rules: ['4.10/path'],
    readOnly: true,
    async run(service) {
      const params = { user_id: 'not-a-uuid', provider: cloud }
      refused(await service.call(deleteConnection, { params }), 'a user_id that is no UUID')
    },
  },
})
