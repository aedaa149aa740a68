import * as z from 'zod/mini'
import { Appointment } from '../../../src/contract/appointments.ts'
import { HealthRow, HealthRowInput } from './health-rows.ts'
import { UserInsurance, UserInsuranceInput } from './insurance.ts'
import { CatalogueLab, CatalogueLabTest, CatalogueMarker, LabAccount } from './lab-tests.ts'
import { Connection, ConnectionInput, Payor, TeamProvider } from './link.ts'
import { LabOrder, type LabOrderInput } from './orders.ts'
import type { CollectionName } from './paths.ts'
import type { KeyParts } from './record-key.ts'
import { User, UserInput } from './users.ts'

/** An appointment to create. Omitted fields are generated. If `order_id` is omitted, an order is also created. */
export type AppointmentInput = Partial<Appointment>

/** The types for one collection. Omitted input fields are generated. */
export interface RecordTypes<T, Input = Partial<T>, Key extends KeyParts = [id: string]> {
  /** The record type. */
  record: T
  /** The type of the input for `create`. */
  input: Input
  /** The types of the key parts. */
  key: Key
}

/** The types for each collection. */
export interface CollectionTypes {
  /** The data providers, keyed by slug (specification 4.9). */
  providers: RecordTypes<TeamProvider, Partial<TeamProvider>, [slug: string]>
  /** The insurance companies, keyed by payor code (specification 4.1). */
  payors: RecordTypes<Payor, Partial<Payor>, [payor_code: string]>
  /** The labs, keyed by `id`. */
  labs: RecordTypes<CatalogueLab, Partial<CatalogueLab>, [id: number]>
  /** The markers, keyed by `id`. */
  markers: RecordTypes<CatalogueMarker, Partial<CatalogueMarker>, [id: number]>
  /** The lab tests, keyed by `id`. */
  labTests: RecordTypes<CatalogueLabTest>
  /** The team's lab accounts. */
  labAccounts: RecordTypes<LabAccount>
  /** The users, keyed by `user_id`. */
  users: RecordTypes<User, UserInput>
  /** Users' insurance records. */
  insurances: RecordTypes<UserInsurance, UserInsuranceInput>
  /** Users' connections to providers. */
  connections: RecordTypes<Connection, ConnectionInput, [user_id: string, provider: string]>
  /** Rows of health data for aggregate queries and summaries. */
  data: RecordTypes<HealthRow, HealthRowInput>
  /** The lab orders, keyed by `id` (specification 4.12). */
  orders: RecordTypes<LabOrder, LabOrderInput>
  /** The phlebotomy appointments, keyed by `id` (specification 4.8). */
  appointments: RecordTypes<Appointment, AppointmentInput>
}

export type RecordOf<Name extends CollectionName> = CollectionTypes[Name]['record']

export type RecordInputOf<Name extends CollectionName> = CollectionTypes[Name]['input']

type ObjectSchema = z.ZodMiniObject<Record<string, z.ZodMiniType>>

/** A collection's definition. Snapshots, checks, control operations and fixtures are derived from it. */
interface RecordDefinition {
  noun: string
  /** The schema of a record. `update` can change all fields that are not part of the key. */
  record: ObjectSchema
  /** The schema of the input for `create`. Omitted fields are generated. */
  input: ObjectSchema
  /** The collections that the reference fields refer to, by field path. */
  references?: Readonly<Record<string, CollectionName>>
}

export const definitions: Readonly<Record<CollectionName, RecordDefinition>> = {
  providers: { noun: 'provider', record: TeamProvider, input: z.partial(TeamProvider) },
  payors: { noun: 'payor', record: Payor, input: z.partial(Payor) },
  labs: { noun: 'lab', record: CatalogueLab, input: z.partial(CatalogueLab) },
  markers: {
    noun: 'marker',
    record: CatalogueMarker,
    input: z.partial(CatalogueMarker),
    references: { lab_id: 'labs' },
  },
  labTests: {
    noun: 'lab test',
    record: CatalogueLabTest,
    input: z.partial(CatalogueLabTest),
    references: { lab_id: 'labs', marker_ids: 'markers' },
  },
  labAccounts: {
    noun: 'lab account',
    record: LabAccount,
    input: z.partial(LabAccount),
    references: { lab_ids: 'labs' },
  },
  users: { noun: 'user', record: User, input: UserInput },
  insurances: {
    noun: 'insurance record',
    record: UserInsurance,
    input: UserInsuranceInput,
    references: { user_id: 'users' },
  },
  connections: {
    noun: 'connection',
    record: Connection,
    input: ConnectionInput,
    references: { user_id: 'users', provider: 'providers' },
  },
  data: {
    noun: 'row of health data',
    record: HealthRow,
    input: HealthRowInput,
    references: { user_id: 'users' },
  },
  orders: {
    noun: 'order',
    record: LabOrder,
    input: z.partial(LabOrder),
    references: {
      user_id: 'users',
      'order_set.lab_test_ids': 'labTests',
      'order_set.add_on.marker_ids': 'markers',
    },
  },
  appointments: {
    noun: 'appointment',
    record: Appointment,
    input: z.partial(Appointment),
    references: { order_id: 'orders', user_id: 'users' },
  },
}
