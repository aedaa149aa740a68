import * as z from 'zod/mini'
import type { Definition } from '../../src/contract/schema/definition.ts'
import { headers } from '../../src/contract/wire.ts'
import { componentSchemas, serviceNotes } from '../../src/openapi/components.ts'
import { definitionOf, type JsonSchema, type Notes, schemaOf } from '../../src/openapi/schema.ts'
import { version } from '../../src/version.ts'
import { webhookSchema } from '../events/delivery/webhook-input.ts'
import { faultSchema } from '../faults/fault-schema.ts'
import { fixtureSchema } from '../fixtures/schema.ts'
import { findDetails } from '../http/validation.ts'
import * as records from '../state/records/schemas.ts'
import { behaviorSchema } from '../state/settings.ts'
import type { ControlEndpoint } from './endpoint.ts'
import { harSchema, journalEntrySchema, journalSummarySchema } from './journal-responses.ts'
import { teamsEndpoint } from './operations/teams.ts'
import { controlOperations } from './operations.ts'
import { tokenHeader } from './paths.ts'
import * as responses from './responses.ts'

const invalidValueSchema = z.object({
  type: z.string(),
  loc: z.array(z.union([z.string(), z.int()])),
  msg: z.string(),
  input: z.optional(z.unknown()),
})

const errorSchema = z.object({
  detail: z.union([z.string(), z.array(invalidValueSchema)]),
  code: z.optional(z.string()),
})

/** The schemas that generated clients name. */
const ownSchemas: Record<string, z.ZodMiniType> = {
  ...records,
  Agenda: responses.agendaSchema,
  Change: responses.changeSchema,
  Clock: responses.clockSchema,
  DeadLetter: responses.deadLetterSchema,
  Delivery: responses.deliverySchema,
  DeliveryExchange: responses.deliveryExchangeSchema,
  DueEvent: responses.dueEventSchema,
  Error: errorSchema,
  Event: responses.eventSchema,
  Fault: faultSchema,
  FaultEffect: faultSchema.shape.then,
  FaultState: responses.faultStateSchema,
  Fixture: fixtureSchema,
  Har: harSchema,
  HistoryPoint: responses.historyPointSchema,
  JournalEntry: journalEntrySchema,
  JournalSummary: journalSummarySchema,
  PlannedDelivery: responses.plannedDeliverySchema,
  SearchHit: responses.searchHitSchema,
  Seeded: responses.seededSchema,
  Settings: responses.settingsStateSchema,
  SettingsInput: behaviorSchema,
  Snapshot: responses.snapshotHeadSchema,
  TruthRow: responses.truthRowSchema,
  Webhook: responses.webhookStateSchema,
  WebhookInput: webhookSchema,
}
const nameBySchema = new Map(Object.entries(ownSchemas).map(([name, schema]) => [schema, name]))

const controlNotes: Notes = {
  nameOf: (schema) => nameBySchema.get(schema) ?? serviceNotes.nameOf(schema),
  keywordsOf: () => ({}),
}

/** Returns the OpenAPI 3.1 document of the control API. */
export function controlDocument(url: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const { endpoint } of controlOperations) {
    const { path, method } = endpoint
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(endpoint) }
  }
  const withoutKey = { ...operationOf(teamsEndpoint), security: [{}, { token: [] }] }
  paths[teamsEndpoint.path] = { get: withoutKey }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of the mock of the Health Data and Lab Ordering Service',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    security: [{ apiKey: [] }, { apiKey: [], token: [] }],
    paths,
    components: {
      schemas: { ...componentSchemas(), ...schemasOf(ownSchemas) },
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: headers.apiKey },
        token: { type: 'apiKey', in: 'header', name: tokenHeader },
      },
    },
  }
}

function schemasOf(schemas: Record<string, z.ZodMiniType>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, definitionOf(schema, controlNotes)]),
  )
}

function operationOf(endpoint: ControlEndpoint): object {
  const { id, summary, params = {}, query, body, responses } = endpoint
  const { shape = {} } = (query?._zod.def ?? {}) as Definition
  const parameters = [
    ...Object.entries(params).map((entry) => parameterOf(entry, 'path')),
    ...Object.entries(shape).map((entry) => parameterOf(entry, 'query')),
  ]
  const successes = Object.entries(responses).map(([status, schema]) => [
    status,
    responseOf(schema),
  ])
  return {
    operationId: id,
    summary,
    tags: [id.split('.')[0]],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: requestBodyOf(body) } : {}),
    responses: {
      ...Object.fromEntries(successes),
      default: {
        description: 'The request failed.',
        content: contentOf(errorSchema),
      },
    },
  }
}

function parameterOf([name, schema]: [string, z.ZodMiniType], place: 'path' | 'query'): object {
  return { name, in: place, required: place === 'path', schema: schemaOf(schema, controlNotes) }
}

/** A body may be absent if all of its fields may be. */
function requestBodyOf(schema: z.ZodMiniType): object {
  const required = findDetails(schema, {}, 'body').length > 0
  return { ...(required ? { required } : {}), content: contentOf(schema) }
}

function responseOf(schema: z.ZodMiniType | 'binary'): object {
  if (schema === 'binary' || schema._zod.def.type === 'undefined')
    return { description: 'Success, without a body.' }
  return { description: 'Success.', content: contentOf(schema) }
}

function contentOf(schema: z.ZodMiniType): object {
  return { 'application/json': { schema: schemaOf(schema, controlNotes) } }
}
