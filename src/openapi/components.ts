import type * as z from 'zod/mini'
import * as appointments from '../contract/appointments.ts'
import { endpoints, namespaces } from '../contract/endpoints.ts'
import * as markers from '../contract/markers.ts'
import * as people from '../contract/people.ts'
import type { Deprecation, Endpoint } from '../contract/schema-tools/endpoint.ts'
import { isSchema } from '../contract/schema-tools/walk.ts'
import { Source } from '../contract/source.ts'
import * as activity from '../contract/summary-records/activity.ts'
import * as body from '../contract/summary-records/body.ts'
import * as meal from '../contract/summary-records/meal.ts'
import * as profile from '../contract/summary-records/profile.ts'
import * as sleep from '../contract/summary-records/sleep.ts'
import * as workout from '../contract/summary-records/workout.ts'
import { confirmationTimeouts, markerPage, markerPageSize } from '../contract/values/bounds.ts'
import { deprecatedFields } from '../contract/values/deprecations.ts'
import { deprecated, inlineSchema, type JsonSchema, type Notes } from './schema.ts'

/** The contract's exports, whose schemas become components with the same names. */
const exported: Record<string, unknown> = Object.assign(
  { Source },
  ...Object.values(namespaces),
  appointments,
  markers,
  people,
  activity,
  body,
  meal,
  profile,
  sleep,
  workout,
)

/** Query schemas are not components, because each operation lists its own parameters. */
const queries = new Set<unknown>(
  endpoints.map((endpoint) => ('query' in endpoint ? endpoint.query : undefined)),
)

const named = Object.entries(exported).filter(
  (entry): entry is [string, z.ZodMiniType] => isSchema(entry[1]) && !queries.has(entry[1]),
)
const nameBySchema = new Map(named.map(([name, schema]) => [schema, name]))

const { insurance, link } = namespaces
const paging = { page: markerPage.default, size: markerPageSize.default }

const defaultsBySchema = new Map<unknown, Record<string, unknown>>([
  [markers.MarkerQuery, paging],
  [markers.TestMarkerQuery, paging],
  [markers.MarkerPaging, paging],
  [insurance.InsuranceInput, { is_primary: true }],
  [people.InsuranceAddressInput, { second_line: '' }],
  [link.BulkImportInput, { wait_for_completion: false }],
  [
    appointments.BookingInput,
    {
      async_confirmation: false,
      sync_confirmation_timeout_millisecond: confirmationTimeouts.sync.default,
      async_confirmation_timeout_millisecond: confirmationTimeouts.async.default,
    },
  ],
])

export const serviceNotes: Notes = {
  nameOf: (schema) => nameBySchema.get(schema),
  keywordsOf(schema, field) {
    const values = defaultsBySchema.get(schema) ?? {}
    return {
      ...(Object.hasOwn(values, field) ? { default: values[field] } : {}),
      ...deprecated(findDeprecation(schema, field)),
    }
  },
}

export function componentSchemas(): Record<string, JsonSchema> {
  const schemas = named.map(([name, schema]) => [name, inlineSchema(schema, serviceNotes)] as const)
  return Object.fromEntries(schemas.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Finds a field's deprecation, which is listed by interface for responses and by endpoint for requests. */
function findDeprecation(schema: z.ZodMiniType, field: string): Deprecation | undefined {
  const ofResponse = deprecatedFields[nameBySchema.get(schema) ?? '']
  const endpoint: Endpoint | undefined = endpoints.find(
    (candidate) => 'body' in candidate && candidate.body === schema,
  )
  return ofResponse?.[field] ?? endpoint?.deprecatedFields?.[field]
}
