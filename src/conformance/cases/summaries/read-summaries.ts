import { assertEqual, assertIncludes, assertSameId } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import { assertShape, fieldOf, isJsonObject, type ObjectForm } from '../../shape.ts'

/** The source of data (specification 2.8). */
export const sourceForm: ObjectForm = {
  provider: 'string',
  type: 'string',
  'app_id?': 'string',
  'name?': 'string',
  'slug?': 'string',
  'logo?': 'string',
}

export const summarized = ['activity', 'body', 'meal', 'profile', 'sleep', 'workouts'] as const

export type SummarizedResource = (typeof summarized)[number]

/** The assumption on which every case that reads summaries depends. */
export const summaryPath = 'GET /v2/summary/{resource}/{user_id} returns the summaries'

export const may = { start_date: '2025-05-01', end_date: '2025-05-31' }

/** For `profile`, the list has one item. */
export async function readSummaries(
  service: TestedService,
  resource: SummarizedResource,
  user_id: string,
  query: Record<string, string> = may,
): Promise<unknown[]> {
  const { status, json } = await service.call('summaries.list', {
    params: { user_id, resource },
    query,
  })
  const found = resource === 'profile' ? [json] : Object.values(Object(json)).find(Array.isArray)
  service.presume(status < 300 && isJsonObject(json) && found !== undefined, summaryPath)
  return found
}

export interface RowSource {
  provider: string
  type: string
  app_id: string | null
}

/** A source without an app. */
export const ring = { provider: 'oura', type: 'ring', app_id: null }

/** A source with an app. */
export const watch = { provider: 'fitbit', type: 'watch', app_id: 'com.example.watch' }

const profile: ObjectForm = {
  id: 'any',
  date: 'any',
  height: 'number',
  source: sourceForm,
  user_id: 'uuid',
}

const { height: _, ...withoutHeight } = profile

export const profileCases = defineCases([], {
  '2.9/profile': {
    title: "Returns each user's profile summary with all fields",
    rules: ['2.9/profile', '2.9/source', '2.8/fields'],
    needs: ['user'],
    readOnly: true,
    async run(service) {
      const users = [await service.user(), await service.user()]
      for (const user of [...users, ...users]) {
        for (const summary of await readSummaries(service, 'profile', user)) {
          // A user without a profile has no height.
          const hasHeight = (fieldOf(summary, 'height') ?? null) !== null
          assertShape(summary, hasHeight ? profile : withoutHeight, 'the profile')
          assertSameId(fieldOf(summary, 'user_id'), user, "the profile's user_id")
        }
      }
    },
  },
  '2.9/profile-height': {
    title: "Returns each user's height in the profile",
    rules: ['2.9/profile', '2.9/source', '2.8/fields'],
    needs: ['user', 'addHealthData'],
    async run(service) {
      const users = [await service.user(), await service.user()]
      for (const [at, user] of users.entries()) {
        const { provider, type } = at === 0 ? ring : watch
        const source = { source_provider: provider, source_type: type }
        const values = { height_centimeter: 171.43 + at, ...source }
        await service.addHealthData(user, [{ resource: 'profile', values }])
      }
      for (const at of [0, 1, 0]) {
        const user = users[at] ?? ''
        const [summary] = await readSummaries(service, 'profile', user)
        assertShape(summary, profile, 'the profile')
        assertEqual(fieldOf(summary, 'height'), 171.43 + at, "the profile's height")
        assertSameId(fieldOf(summary, 'user_id'), user, "the profile's user_id")
        const { provider, type } = at === 0 ? ring : watch
        assertIncludes(fieldOf(summary, 'source'), { provider, type }, "the profile's source")
      }
    },
  },
})
