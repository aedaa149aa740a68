import { isObject, keysOf } from '../../../shared/narrow.ts'
import { assertEqual, assertIncludes, assertSameId, assertThat } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import type { HealthDataRow } from '../../setup.ts'
import { assertShape, fieldOf, type ObjectForm } from '../../shape.ts'

/** The form of a source (specification 2.8). */
export const sourceForm: ObjectForm = {
  provider: 'string',
  type: 'string',
  'app_id?': 'string',
  'name?': 'string',
  'slug?': 'string',
  'logo?': 'string',
}

const summarized = ['activity', 'body', 'meal', 'profile', 'sleep', 'workouts'] as const

type SummarizedResource = (typeof summarized)[number]

/** The assumption on which every case that reads summaries depends. */
const summaryPath = 'GET /v2/summary/{resource}/{user_id} returns the summaries'

const may = { start_date: '2025-05-01', end_date: '2025-05-31' }

/** Returns the summaries as a list, which has one item for `profile`. */
async function readSummaries(
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
  service.presume(status < 300 && isObject(json) && found !== undefined, summaryPath)
  return found
}

const ring = { provider: 'oura', type: 'ring', app_id: null }

const watch = { provider: 'fitbit', type: 'watch', app_id: 'com.example.watch' }

const profile: ObjectForm = {
  id: 'any',
  date: 'any',
  height: 'number',
  source: sourceForm,
  user_id: 'uuid',
}

const { height: _, ...withoutHeight } = profile

/** Maps resources that have one summary per row to their names and time columns in aggregate queries. */
const rowsOf = {
  sleep: ['sleep', 'session_end'],
  activity: ['activity', 'date'],
  workouts: ['workout', 'session_start'],
  body: ['body', 'measured_at'],
} as const
type RowResource = keyof typeof rowsOf

function rowsOn(
  resource: RowResource,
  days: readonly string[],
  { provider, type, app_id }: { provider: string; type: string; app_id: string | null },
): HealthDataRow[] {
  const [name, time] = rowsOf[resource]
  const source = { source_provider: provider, source_type: type, source_app_id: app_id }
  return days.map((day) => ({ resource: name, values: { [time]: `${day}T07:00:00`, ...source } }))
}

export const summaryCases = defineCases(['user', 'addHealthData'], {
  '4.12/summaries': {
    title: 'Returns summaries of activity, body, meal, profile, sleep and workouts',
    rules: ['4.12/summaries', '2.9/source', '2.8/fields'],
    needs: ['user'],
    readOnly: true,
    async run(service: TestedService) {
      const user = await service.user()
      const known = await service.call('summaries.list', {
        params: { user_id: user, resource: 'sleep' },
        query: may,
      })
      service.presume(known.status < 300, summaryPath)
      for (const resource of summarized) {
        const params = { user_id: user, resource }
        const response = await service.call('summaries.list', { params, query: may })
        assertThat(
          response.status < 300,
          `Expected ${response.operation} to return summaries, found status ${response.status}.`,
        )
        for (const summary of await readSummaries(service, resource, user)) {
          assertShape(fieldOf(summary, 'source'), sourceForm, `the source of ${resource}`)
        }
      }
    },
  },
  '2.9/source': {
    title: "Returns each summary's source, and no summaries of another user",
    rules: ['2.9/source', '2.8/fields', '4.12/summaries'],
    async run(service) {
      const users = [await service.user(), await service.user()] as const
      const sources = [ring, watch] as const
      const days = ['2025-05-10', '2025-05-12', '2025-05-30']
      for (const resource of keysOf(rowsOf)) {
        for (const at of [0, 1] as const) {
          const rows = rowsOn(resource, days.slice(at), sources[at])
          await service.setup.addHealthData(users[at], rows)
        }
        for (const at of [0, 1, 0] as const) {
          const found = await readSummaries(service, resource, users[at])
          assertEqual(found.length, days.length - at, `the number of ${resource} summaries`)
          for (const summary of found) {
            const source = fieldOf(summary, 'source')
            const { app_id, ...named } = sources[at]
            assertIncludes(source, named, `the source of ${resource}`)
            // An app_id may always be null.
            assertThat(
              [app_id, undefined, null].some((known) => known === fieldOf(source, 'app_id')),
              "Expected the source's app_id, but found a different one.",
            )
            assertShape(source, sourceForm, `the source of ${resource}`)
            const owner = fieldOf(summary, 'user_id') ?? users[at]
            assertSameId(owner, users[at], `the user_id of ${resource}`)
          }
        }
      }
    },
  },
  '2.9/another-team': {
    title: "Returns no summaries of another team's user",
    rules: ['4.12/summaries', '5/team-key'],
    needs: ['user', 'addHealthData', 'team'],
    async run(service: TestedService) {
      const user = await service.user()
      const app_id = 'com.example.only-here'
      await service.setup.addHealthData(user, rowsOn('sleep', ['2025-05-20'], { ...ring, app_id }))
      const own = JSON.stringify(await readSummaries(service, 'sleep', user))
      service.presume(own.includes(app_id), 'a sleep summary contains the app_id of its source')
      const team = await service.team({})
      const request = { params: { user_id: user, resource: 'sleep' }, query: may }
      const { json } = await team.call('summaries.list', request)
      const shows = JSON.stringify(json ?? null).includes(app_id)
      assertThat(!shows, "Expected no summary of another team's user, but found one.")
    },
  },
  '4.12/summary-dates': {
    title: 'Returns the summaries from start_date to end_date, inclusive, filtered by provider',
    rules: ['4.12/summaries'],
    assumption: 'the parameters start_date, end_date and provider filter summaries',
    async run(service) {
      const user = await service.user()
      const days = ['2025-05-09', '2025-05-10', '2025-05-11', '2025-05-12', '2025-05-13']
      const rows = days.map((day, at) => rowsOn('sleep', [day], at % 2 === 0 ? ring : watch))
      await service.setup.addHealthData(user, rows.flat())
      for (const [query, count] of [
        [{ start_date: '2025-05-10', end_date: '2025-05-12' }, 3],
        [{ start_date: '2025-05-12', end_date: '2025-05-12' }, 1],
        [{ start_date: '2025-05-11' }, 3],
        [{ start_date: '2025-05-09', end_date: '2025-05-13', provider: 'oura' }, 3],
        [{ start_date: '2025-05-10', end_date: '2025-05-13', provider: 'fitbit' }, 2],
        [{ start_date: '2025-06-10', end_date: '2025-06-13' }, 0],
      ] as const) {
        const found = await readSummaries(service, 'sleep', user, query)
        assertEqual(found.length, count, 'the number of summaries')
        for (const summary of found) {
          const day = String(fieldOf(summary, 'calendar_date'))
          const { start_date, end_date } = { end_date: '2025-05-31', ...query }
          assertThat(
            start_date <= day && day <= end_date,
            'Expected a calendar_date from start_date to end_date, but found one outside this range.',
          )
        }
      }
    },
  },
  '4.12/summary-date-times': {
    title: 'Accepts date-times in start_date and end_date, and uses only their dates',
    rules: ['4.12/summaries'],
    assumption: 'start_date and end_date accept date-times; only their dates matter',
    async run(service) {
      const user = await service.user()
      const days = ['2025-05-09', '2025-05-10', '2025-05-11', '2025-05-12', '2025-05-13']
      await service.setup.addHealthData(user, rowsOn('sleep', days, ring))
      for (const [start_date, end_date, count] of [
        ['2025-05-10T00:00:00', '2025-05-12T00:00:00', 3],
        ['2025-05-10T12:30:00', '2025-05-12T12:30:00', 3],
        ['2025-05-10T09:00:00+00:00', '2025-05-11', 2],
        ['2025-05-11', '2025-05-13T08:00:00Z', 3],
        ['2025-05-12T23:59:59', '2025-05-12T23:59:59', 1],
      ] as const) {
        const found = await readSummaries(service, 'sleep', user, { start_date, end_date })
        assertEqual(
          found.length,
          count,
          `the number of summaries from ${start_date} to ${end_date}`,
        )
      }
    },
  },
  '9/source-fields': {
    title: "Returns a source's deprecated name and slug in summaries until 31 July 2024",
    rules: ['9/source-fields', '2.8/fields'],
    needs: ['team', 'user', 'addHealthData'],
    async run(service: TestedService) {
      for (const now of ['2024-07-01T09:00:00Z', '2024-07-30T20:00:00Z']) {
        const team = await service.team({ now })
        const user = await team.user()
        const days = ['2024-06-20', '2024-06-28']
        for (const resource of keysOf(rowsOf)) {
          await team.setup.addHealthData(user, rowsOn(resource, days, ring))
          const query = { start_date: '2024-06-01', end_date: '2024-06-30' }
          const found = await readSummaries(team, resource, user, query)
          service.presume(
            found.length === 2,
            'start_date and end_date select summaries by the day of their data',
          )
          const deprecated: ObjectForm = { ...sourceForm, name: 'string', slug: 'string' }
          for (const summary of found) {
            const source = fieldOf(summary, 'source')
            assertShape(source, deprecated, `the source of ${resource} before 31 July 2024`)
            assertEqual(fieldOf(source, 'slug'), 'oura', `the slug of the source of ${resource}`)
          }
        }
      }
    },
  },
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
    title: "Returns each user's height in the profile summary",
    rules: ['2.9/profile', '2.9/source', '2.8/fields'],
    needs: ['user', 'addHealthData'],
    async run(service) {
      const users = [await service.user(), await service.user()]
      for (const [at, user] of users.entries()) {
        const { provider, type } = at === 0 ? ring : watch
        const source = { source_provider: provider, source_type: type }
        const values = { height_centimeter: 171.43 + at, ...source }
        await service.setup.addHealthData(user, [{ resource: 'profile', values }])
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
