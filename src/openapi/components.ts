import type * as z from 'zod/mini'
import * as aggregate from '../contract/aggregate.ts'
import { endpoints } from '../contract/endpoints.ts'
import * as insurance from '../contract/insurance.ts'
import * as labTests from '../contract/lab-tests.ts'
import * as link from '../contract/link.ts'
import * as orders from '../contract/orders.ts'
import type { Deprecation, Endpoint } from '../contract/schema/endpoint.ts'
import { Source } from '../contract/source.ts'
import * as summaries from '../contract/summaries.ts'
import * as users from '../contract/users.ts'
import { deprecatedFields } from '../contract/values/deprecations.ts'
import { markerPageSize } from '../contract/values/known-values.ts'
import { definitionOf, deprecated, type JsonSchema, type Notes } from './schema.ts'

/** Every schema that bears the name of its interface. */
const exported: Record<string, unknown> = {
  ...users,
  ...insurance,
  ...link,
  ...labTests,
  ...orders,
  ...aggregate,
  ...summaries,
  Source,
}

/** Parameters are written out where they are used. */
const queries = new Set<unknown>(endpoints.map((one) => ('query' in one ? one.query : undefined)))

const named = Object.entries(exported).filter(
  (entry): entry is [string, z.ZodMiniType] => isSchema(entry[1]) && !queries.has(entry[1]),
)
const nameBySchema = new Map(named.map(([name, schema]) => [schema, name]))

const { confirmationTimeouts } = orders
const paging = { page: 1, size: markerPageSize.default }

/** What holds where a field is left out. */
const defaults = new Map<unknown, Record<string, unknown>>([
  [labTests.MarkerQuery, paging],
  [labTests.TestMarkerQuery, paging],
  [labTests.MarkerPaging, paging],
  [insurance.InsuranceInput, { is_primary: true }],
  [insurance.InsuranceAddressInput, { second_line: '' }],
  [link.BulkImportInput, { wait_for_completion: false }],
  [
    orders.BookingInput,
    {
      async_confirmation: false,
      sync_confirmation_timeout_millisecond: confirmationTimeouts.sync.default,
      async_confirmation_timeout_millisecond: confirmationTimeouts.async.default,
    },
  ],
])

export const notes: Notes = {
  nameOf: (schema) => nameBySchema.get(schema),
  keywordsOf(schema, field) {
    const values = defaults.get(schema) ?? {}
    return {
      ...(Object.hasOwn(values, field) ? { default: values[field] } : {}),
      ...deprecated(deprecationOf(schema, field)),
    }
  },
}

/** The named schemas of the document, in the order of their names. */
export function componentSchemas(): Record<string, JsonSchema> {
  const written = named.map(([name, schema]) => [name, definitionOf(schema, notes)] as const)
  return Object.fromEntries(written.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** Deprecated fields of requests stand with their endpoint. */
function deprecationOf(schema: z.ZodMiniType, field: string): Deprecation | undefined {
  const answered = deprecatedFields[nameBySchema.get(schema) ?? '']
  const endpoint: Endpoint | undefined = endpoints.find(
    (one) => 'body' in one && one.body === schema,
  )
  return answered?.[field] ?? endpoint?.deprecatedFields?.[field]
}

function isSchema(value: unknown): value is z.ZodMiniType {
  return typeof value === 'object' && value !== null && '_zod' in value
}
