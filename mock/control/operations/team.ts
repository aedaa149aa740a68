import * as z from 'zod/mini'
import { queryAggregate } from '../../../src/contract/aggregate.ts'
import { lenient } from '../../../src/contract/schema-tools/schema.ts'
import { Source } from '../../../src/contract/source.ts'
import type { Fixture } from '../../fixtures/fixture.ts'
import { fixtureSchema } from '../../fixtures/schema.ts'
import type { SeededRecords } from '../../fixtures/seed.ts'
import { mapValues } from '../../shared/lists.ts'
import { type Snapshot, snapshotFormat } from '../../snapshot/snapshot.ts'
import { definitions } from '../../state/records/definitions.ts'
import { jsonObjectSchema, typed } from '../../state/records/schemas.ts'
import { User } from '../../state/records/users.ts'
import { behaviorSchema, settingsSchema } from '../../state/settings.ts'
import type { ControlOperation } from '../operation.ts'
import { clockSchema } from './clock.ts'

export const settingsStateSchema = z.object({ ...settingsSchema.shape, now: lenient.dateTime })

/** Checks only the fields that distinguish a snapshot from other JSON. A restore checks the complete snapshot. */
export const snapshotOutput = typed<Snapshot>(
  z.looseObject({
    format: z.enum([snapshotFormat]),
    version: z.int(),
    now: lenient.dateTime,
    records: jsonObjectSchema,
  }),
)

export const seededSchema = typed<SeededRecords>(
  z.object(mapValues(definitions, ({ record }): z.ZodMiniType => z.array(record))),
)

export const truthRowSchema = z.looseObject({
  resource: z.string(),
  user_id: z.string(),
  source: Source,
})

export const reproductionSchema = z.object({ line: z.string() })

export const searchHitSchema = z.object({
  kind: z.enum(['request', 'event', 'record', 'delivery']),
  key: z.string(),
  title: z.string(),
  excerpt: z.string(),
})

const { now, mode } = clockSchema.shape

/** The counts of requests, changes, events, deliveries and points include dropped items. */
export const pulse = {
  pulse: {
    summary: 'Returns the virtual time, and counts of requests, changes, events and faults',
    output: z.object({
      now,
      mode,
      pending: z.int(),
      requests: z.int(),
      waiting: z.int(),
      changes: z.int(),
      events: z.int(),
      faults: z.int(),
      webhooks: z.int(),
      undelivered: z.int(),
      // The webhooks' delivery attempts.
      deliveries: z.int(),
      // The number of history points, or 0 while recording is off.
      points: z.int(),
    }),
  },
} satisfies Record<string, ControlOperation>

export const team = {
  'settings.get': { summary: "Returns the team's settings", output: settingsStateSchema },
  'settings.update': {
    summary: "Changes the team's settings; to change its time, use the /clock operations",
    body: behaviorSchema,
    output: settingsStateSchema,
  },
  signIn: {
    summary: 'Signs a user in with a token, as a mobile SDK does',
    body: z.object({ sign_in_token: z.string() }),
    output: User,
  },
  truth: {
    summary: 'Lists the rows that a consumer of all events should have stored for a user',
    query: z.object({ resource: z.optional(z.string()) }),
    output: z.array(truthRowSchema),
  },
  snapshot: { summary: 'Returns a snapshot of the team', output: snapshotOutput },
  restore: {
    isUnrecorded: true,
    summary: 'Restores a snapshot',
    // `restore` checks the snapshot.
    body: typed<Snapshot>(jsonObjectSchema),
  },
  seed: {
    summary:
      'Creates all records of a fixture, or none if one is invalid; omitted fields are generated',
    // The schema and the type both derive their lists from the collections.
    body: typed<Fixture>(fixtureSchema),
    output: seededSchema,
  },
  reset: { isUnrecorded: true, summary: 'Resets the team to its initial state' },
  reproduction: {
    summary: "Returns the team's current state as one line of JavaScript",
    output: reproductionSchema,
  },
} satisfies Record<string, ControlOperation>

/** Read-only operations for pages such as the inspector. */
export const reads = {
  search: {
    summary:
      "Searches the requests, records, latest 1,000 events and each webhook's latest 100 deliveries for every search word; returns the latest 25 matches of each kind, newest first",
    query: z.object({ text: z.optional(z.string()) }),
    output: z.array(searchHitSchema),
  },
  'users.aggregate': {
    isUnrecorded: true,
    summary:
      'Returns the result of an aggregate query; the journal does not record it, and no fault affects it',
    body: queryAggregate.body,
    output: queryAggregate.responses[200],
  },
} satisfies Record<string, ControlOperation>

export const teams = {
  'teams.list': {
    summary: 'Lists the teams, starting with the default team; requires no API key',
    output: z.array(z.object({ api_key: z.string(), requests: z.int() })),
  },
} satisfies Record<string, ControlOperation>
