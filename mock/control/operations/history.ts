import * as z from 'zod/mini'
import { lenient } from '../../../src/contract/schema-tools/schema.ts'
import { pointKinds } from '../../state/recorder.ts'
import { collectionNames } from '../../state/records/paths.ts'
import { jsonObjectSchema } from '../../state/records/schemas.ts'
import type { ControlOperation } from '../operation.ts'
import { reproductionSchema, snapshotOutput } from './team.ts'

const collectionSchema = z.enum(collectionNames)

export const changeSchema = z.object({
  collection: collectionSchema,
  action: z.enum(['create', 'update', 'delete']),
  key: z.string(),
  before: z.optional(jsonObjectSchema),
  after: z.optional(jsonObjectSchema),
})

export const historyPointSchema = z.object({
  number: z.int(),
  at: lenient.dateTime,
  kind: z.enum(pointKinds),
  title: z.string(),
  request: z.optional(z.int()),
  changes: z.int(),
  latestEvent: z.int(),
})

const historySchema = z.object({ isRecording: z.boolean(), points: z.array(historyPointSchema) })

/** The operations on the team's history: its state after each request, scheduled event and control API change. */
export const history = {
  'history.start': {
    isUnrecorded: true,
    summary: 'Starts recording the history, unless it is already being recorded',
    output: historySchema,
  },
  'history.list': {
    summary: "Lists the history's points, oldest first; at most the latest 1,000",
    output: historySchema,
  },
  'history.stop': { isUnrecorded: true, summary: 'Stops the recording, and deletes the points' },
  'history.get': {
    summary:
      'Returns a point with the changes that led to it, and the number of records in each collection',
    output: z.object({
      point: historyPointSchema,
      changes: z.array(changeSchema),
      records: z.record(z.string(), z.int()),
    }),
  },
  'history.records': {
    summary: "Lists a collection's records at a point: all of them, or only the last ones",
    query: z.object({ collection: collectionSchema, last: z.optional(z.int()) }),
    output: z.array(jsonObjectSchema),
  },
  'history.snapshot': {
    summary: 'Returns a snapshot of the team at a point, without webhooks',
    output: snapshotOutput,
  },
  'history.reproduction': {
    summary: "Returns the team's state at a point as one line of JavaScript",
    output: reproductionSchema,
  },
  'history.fork': {
    isUnrecorded: true,
    summary:
      'Creates a team with the state at a point, without webhooks; by default, its API key is generated',
    body: z.object({ api_key: z.optional(z.string()) }),
    output: z.object({ api_key: z.string() }),
  },
} satisfies Record<string, ControlOperation>
