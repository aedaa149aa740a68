import type * as z from 'zod/mini'
import { Appointment } from '../../../src/contract/appointments.ts'
import type { CollectionName } from '../collection-names.ts'
import * as records from './schemas.ts'

/** The schema of an object. */
export type ObjectSchema = z.ZodMiniObject<Record<string, z.ZodMiniType>>

/** What the control API and fixtures need to know about a collection. */
export interface CollectionPlan {
  /** The word for one record. */
  noun: string
  /** The fields of the key. */
  key: readonly string[]
  /** The schema of a record. */
  record: ObjectSchema
  /** The schema of the input of `create`. Default: a record whose fields are all optional. */
  input?: ObjectSchema
}

/** The collections with their keys and schemas. */
export const collectionPlans: Record<CollectionName, CollectionPlan> = {
  users: { noun: 'user', key: ['user_id'], record: records.User, input: records.UserInput },
  insurances: {
    noun: 'insurance',
    key: ['id'],
    record: records.UserInsurance,
    input: records.UserInsuranceInput,
  },
  connections: {
    noun: 'connection',
    key: ['user_id', 'provider'],
    record: records.Connection,
    input: records.ConnectionInput,
  },
  orders: { noun: 'order', key: ['id'], record: records.LabOrder },
  appointments: { noun: 'appointment', key: ['id'], record: Appointment },
  data: {
    noun: 'row of health data',
    key: ['id'],
    record: records.HealthRow,
    input: records.HealthRowInput,
  },
  providers: { noun: 'provider', key: ['slug'], record: records.TeamProvider },
  payors: { noun: 'payor', key: ['payor_code'], record: records.Payor },
  labs: { noun: 'lab', key: ['id'], record: records.CatalogueLab },
  labTests: { noun: 'lab test', key: ['id'], record: records.CatalogueLabTest },
  markers: { noun: 'marker', key: ['id'], record: records.CatalogueMarker },
  labAccounts: { noun: 'lab account', key: ['id'], record: records.LabAccount },
}
