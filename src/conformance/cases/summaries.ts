import { assertSuccess, assertThat } from '../assertions.ts'
import { defineCases } from '../case.ts'
import { listSummaries } from '../operations.ts'
import type { TestedService } from '../service.ts'
import { assertShape, fieldOf, isObject, type ObjectForm } from '../shape.ts'

/** The source of data (specification 2.8). */
export const sourceForm: ObjectForm = {
  provider: 'string',
  type: 'string',
  'app_id?': 'string',
  'name?': 'string',
  'slug?': 'string',
  'logo?': 'string',
}

const profile: ObjectForm = {
  id: 'any',
  date: 'any',
  height: 'number',
  source: sourceForm,
  user_id: 'uuid',
}

type SummaryResource = keyof typeof listSummaries

const assumedSummaries =
  'the path below the resource, its parameters, and that the response contains one list'

/** Lists the summaries of a resource. The profile is a single one. */
async function listSummariesOf(
  service: TestedService,
  resource: SummaryResource,
): Promise<unknown[]> {
  const params = { user_id: await service.user() }
  const query = { start_date: '2025-05-01', end_date: '2025-05-31' }
  const { json } = assertSuccess(await service.call(listSummaries[resource], { params, query }))
  if (resource === 'profile') return [json]
  assertThat(isObject(json), `Expected the summaries of ${resource} in an object.`)
  const list = Object.values(json).find(Array.isArray)
  assertThat(list !== undefined, `Expected an array of summaries of ${resource}.`)
  return list
}

const resources = Object.keys(listSummaries) as SummaryResource[]

export const summaryCases = defineCases({
  '4.12/summaries': {
    title: 'Returns summaries of activity, body, meal, profile, sleep and workouts',
    rules: ['4.12/summaries', '2.9/source', '2.8/fields'],
    needs: ['user'],
    readOnly: true,
    assumption: assumedSummaries,
    async run(service) {
      for (const resource of resources) {
        for (const summary of await listSummariesOf(service, resource)) {
          assertShape(fieldOf(summary, 'source'), sourceForm, `source of ${resource}`)
        }
      }
    },
  },
  '2.9/profile': {
    title: 'Returns the profile summary with all fields',
    rules: ['2.9/profile'],
    needs: ['user'],
    readOnly: true,
    assumption: assumedSummaries,
    async run(service) {
      for (const summary of await listSummariesOf(service, 'profile')) {
        assertShape(summary, profile, 'the profile')
      }
    },
  },
  '9/source-fields': {
    title: 'Returns the deprecated fields of source before 31 July 2024',
    rules: ['9/source-fields', '2.8/fields'],
    needs: ['team', 'user'],
    assumption: assumedSummaries,
    async run(service) {
      const team = await service.team({ now: '2024-07-01T09:00:00Z' })
      const params = { user_id: await team.user() }
      const query = { start_date: '2024-06-01', end_date: '2024-06-30' }
      const { json } = assertSuccess(await team.call(listSummaries.sleep, { params, query }))
      const list = isObject(json) ? Object.values(json).find(Array.isArray) : undefined
      assertThat((list?.length ?? 0) > 0, 'Expected summaries of sleep.')
      const deprecated: ObjectForm = { ...sourceForm, name: 'string', slug: 'string' }
      for (const summary of list ?? [])
        assertShape(fieldOf(summary, 'source'), deprecated, 'source')
    },
  },
})
