import * as z from 'zod/mini'
import { Appointment } from '../../src/contract/appointments.ts'
import { type Definition, unwrap } from '../../src/contract/schema/definition.ts'
import { MockError } from '../errors.ts'
import type { KeyParts } from '../state/collection.ts'
import * as records from '../state/records/schemas.ts'
import type { Team } from '../team.ts'
import { type ControlOperation, operation } from './endpoint.ts'

/** What the control API needs of a collection. */
interface AnyCollection {
  create(input: object): object
  get(...key: KeyParts): object | undefined
  list(where?: object): object[]
  update(...input: [...key: KeyParts, changes: object]): object
  delete(...key: KeyParts): boolean
}

interface CollectionPlan {
  /** The way to it, on the team and in paths, such as `catalogue/labs`. */
  path: string
  /** One of its records, in words. */
  noun: string
  /** The fields that its key is made of. */
  key: readonly string[]
  record: ObjectSchema
  /** What `create` takes. Default: a record, with every field left open. */
  input?: ObjectSchema
  of: (team: Team) => unknown
}

type ObjectSchema = z.ZodMiniObject<Record<string, z.ZodMiniType>>

const plans: readonly CollectionPlan[] = [
  {
    path: 'users',
    noun: 'user',
    key: ['user_id'],
    record: records.User,
    input: records.UserInput,
    of: ({ users }) => users,
  },
  {
    path: 'insurances',
    noun: 'insurance',
    key: ['id'],
    record: records.UserInsurance,
    input: records.UserInsuranceInput,
    of: ({ insurances }) => insurances,
  },
  {
    path: 'connections',
    noun: 'connection',
    key: ['user_id', 'provider'],
    record: records.Connection,
    input: records.ConnectionInput,
    of: ({ connections }) => connections,
  },
  {
    path: 'orders',
    noun: 'order',
    key: ['id'],
    record: records.LabOrder,
    of: ({ orders }) => orders,
  },
  {
    path: 'appointments',
    noun: 'appointment',
    key: ['id'],
    record: Appointment,
    of: ({ appointments }) => appointments,
  },
  {
    path: 'data',
    noun: 'row of health data',
    key: ['id'],
    record: records.HealthRow,
    input: records.HealthRowInput,
    of: ({ data }) => data,
  },
  {
    path: 'providers',
    noun: 'provider',
    key: ['slug'],
    record: records.TeamProvider,
    of: ({ providers }) => providers,
  },
  {
    path: 'payors',
    noun: 'payor',
    key: ['payor_code'],
    record: records.Payor,
    of: ({ payors }) => payors,
  },
  {
    path: 'catalogue/labs',
    noun: 'lab',
    key: ['id'],
    record: records.CatalogueLab,
    of: ({ catalogue }) => catalogue.labs,
  },
  {
    path: 'catalogue/lab_tests',
    noun: 'lab test',
    key: ['id'],
    record: records.CatalogueLabTest,
    of: ({ catalogue }) => catalogue.labTests,
  },
  {
    path: 'catalogue/markers',
    noun: 'marker',
    key: ['id'],
    record: records.CatalogueMarker,
    of: ({ catalogue }) => catalogue.markers,
  },
  {
    path: 'catalogue/lab_accounts',
    noun: 'lab account',
    key: ['id'],
    record: records.LabAccount,
    of: ({ catalogue }) => catalogue.labAccounts,
  },
]

/** Listing, creating, reading, changing and deleting the records of every collection. */
export const collections: readonly ControlOperation[] = plans.flatMap(operationsOf)

function operationsOf(plan: CollectionPlan): ControlOperation[] {
  const { path, noun, key, record } = plan
  const name = path.replace('/', '.')
  const all = `/${path}`
  const one = `${all}/${key.map((field) => `{${field}}`).join('/')}`
  const params = Object.fromEntries(key.map((field) => [field, z.string()]))
  // The records that come and go are of the schemas that stand beside the collection.
  const of = (team: Team) => plan.of(team) as AnyCollection
  const keyOf = (found: Record<string, unknown>) => key.map((field) => String(found[field]))
  return [
    operation(
      {
        id: `${name}.list`,
        method: 'GET',
        path: all,
        summary: `Lists every ${noun}, or those with these values; with last, only so many of the latest`,
        query: z.partial(z.object({ ...plainFields(record), last: z.int() })),
        responses: { 200: z.array(record) },
      },
      // Where they are counted from the end, zero of them are all.
      (team, { query: { last = 0, ...where } }) => of(team).list(where).slice(-last),
    ),
    operation(
      {
        id: `${name}.create`,
        method: 'POST',
        path: all,
        summary: `Creates a ${noun}; what is left out is made up`,
        body: plan.input ?? z.partial(record),
        responses: { 200: record },
      },
      (team, { body }) => of(team).create(body),
    ),
    operation(
      {
        id: `${name}.get`,
        method: 'GET',
        path: one,
        summary: `Reads a ${noun}`,
        params,
        responses: { 200: record },
      },
      (team, { params }) => of(team).get(...keyOf(params)) ?? missing(noun),
    ),
    operation(
      {
        id: `${name}.update`,
        method: 'PATCH',
        path: one,
        summary: `Replaces fields of a ${noun}`,
        params,
        body: z.partial(record),
        responses: { 200: record },
      },
      (team, { params, body }) => of(team).update(...keyOf(params), body),
    ),
    operation(
      {
        id: `${name}.delete`,
        method: 'DELETE',
        path: one,
        summary: `Deletes a ${noun}, if there is one`,
        params,
        responses: { 200: z.object({ deleted: z.boolean() }) },
      },
      (team, { params }) => ({ deleted: of(team).delete(...keyOf(params)) }),
    ),
  ]
}

/** The fields that a query can ask for: text, numbers and booleans. */
function plainFields({ shape }: ObjectSchema): Record<string, z.ZodMiniType> {
  const plain = Object.entries(shape).filter(([, field]) => {
    const def = unwrap(field)?._zod.def as Definition | undefined
    return ['string', 'number', 'boolean'].includes(def?.type ?? '')
  })
  return Object.fromEntries(plain)
}

function missing(noun: string): never {
  throw new MockError('unknown_record', `There is no such ${noun}.`)
}
