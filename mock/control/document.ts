import * as z from 'zod/mini'
import { shapeOf } from '../../src/contract/schema-tools/walk.ts'
import { headers } from '../../src/contract/wire.ts'
import { componentSchemas, serviceNotes } from '../../src/openapi/components.ts'
import { inlineSchema, type Notes, schemaOf } from '../../src/openapi/schema.ts'
import { version } from '../../src/version.ts'
import { webhookSchema } from '../events/delivery/webhook-input.ts'
import { faultSchema } from '../faults/fault-schema.ts'
import { fixtureSchema } from '../fixtures/schema.ts'
import { findDetails } from '../http/request/validation.ts'
import { mapValues } from '../shared/lists.ts'
import { BulkImportOp } from '../state/records/bulk-ops.ts'
import { HealthRow, HealthRowInput } from '../state/records/health-rows.ts'
import { UserInsurance, UserInsuranceInput } from '../state/records/insurance.ts'
import {
  CatalogueLab,
  CatalogueLabTest,
  CatalogueMarker,
  LabAccount,
} from '../state/records/lab-tests.ts'
import { Connection, ConnectionInput, Payor, TeamProvider } from '../state/records/link.ts'
import { LabOrder } from '../state/records/orders.ts'
import { User, UserInput } from '../state/records/users.ts'
import { behaviorSchema } from '../state/settings.ts'
import { agendaSchema, clockSchema, dueEventSchema } from './operations/clock.ts'
import { eventSchema } from './operations/events.ts'
import { listedFaultSchema } from './operations/faults.ts'
import { changeSchema, historyPointSchema } from './operations/history.ts'
import { harSchema, journalEntrySchema, journalSummarySchema } from './operations/journal.ts'
import * as team from './operations/team.ts'
import * as webhooks from './operations/webhooks.ts'
import { type ControlEndpoint, controlEndpoints } from './operations.ts'
import { tokenHeader } from './paths.ts'
import { paramNames } from './routes.ts'

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

/** The schemas that have a name in generated clients. */
const ownSchemas: Record<string, z.ZodMiniType> = {
  Agenda: agendaSchema,
  BulkImportOp,
  CatalogueLab,
  CatalogueLabTest,
  CatalogueMarker,
  Change: changeSchema,
  Clock: clockSchema,
  Connection,
  ConnectionInput,
  DeadLetter: webhooks.deadLetterSchema,
  Delivery: webhooks.deliverySchema,
  DeliveryExchange: webhooks.deliveryExchangeSchema,
  DueEvent: dueEventSchema,
  Error: errorSchema,
  Event: eventSchema,
  Fault: faultSchema,
  FaultEffect: faultSchema.shape.then,
  FaultState: listedFaultSchema,
  Fixture: fixtureSchema,
  Har: harSchema,
  HealthRow,
  HealthRowInput,
  HistoryPoint: historyPointSchema,
  JournalEntry: journalEntrySchema,
  JournalSummary: journalSummarySchema,
  LabAccount,
  LabOrder,
  Payor,
  PlannedDelivery: webhooks.plannedDeliverySchema,
  SearchHit: team.searchHitSchema,
  Seeded: team.seededSchema,
  Settings: team.settingsStateSchema,
  SettingsInput: behaviorSchema,
  Snapshot: team.snapshotOutput,
  TeamProvider,
  TruthRow: team.truthRowSchema,
  User,
  UserInput,
  UserInsurance,
  UserInsuranceInput,
  Webhook: webhooks.webhookStateSchema,
  WebhookInput: webhookSchema,
}
const nameBySchema = new Map(Object.entries(ownSchemas).map(([name, schema]) => [schema, name]))

const controlNotes: Notes = {
  nameOf: (schema) => nameBySchema.get(schema) ?? serviceNotes.nameOf(schema),
  keywordsOf: () => ({}),
}

export function controlDocument(url: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of controlEndpoints) {
    const { path, method } = endpoint
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of the mock Health Data and Lab Ordering Service',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    security: [{ apiKey: [] }, { apiKey: [], token: [] }],
    paths,
    components: {
      schemas: {
        ...componentSchemas(),
        ...mapValues(ownSchemas, (schema) => inlineSchema(schema, controlNotes)),
      },
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: headers.apiKey },
        token: { type: 'apiKey', in: 'header', name: tokenHeader },
      },
    },
  }
}

function operationOf(endpoint: ControlEndpoint): object {
  const { id, summary, query, body, output } = endpoint
  const parameters = [
    ...paramNames(id).map((name) => parameterOf([name, z.string()], 'path')),
    ...Object.entries(shapeOf(query)).map((entry) => parameterOf(entry, 'query')),
  ]
  return {
    operationId: id,
    summary,
    tags: [id.split('.')[0]],
    ...(id === 'teams.list' ? { security: [{}, { token: [] }] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: requestBodyOf(body) } : {}),
    responses: {
      ...(output
        ? { 200: { description: 'Success.', content: contentOf(output) } }
        : { 204: { description: 'Success, without a body.' } }),
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

/** Returns an operation's request body, which is optional if all its fields are optional. */
function requestBodyOf(schema: z.ZodMiniType): object {
  const required = findDetails(schema, {}, 'body').length > 0
  return { ...(required ? { required } : {}), content: contentOf(schema) }
}

function contentOf(schema: z.ZodMiniType): object {
  return { 'application/json': { schema: schemaOf(schema, controlNotes) } }
}
