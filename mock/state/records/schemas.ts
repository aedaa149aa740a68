import * as z from 'zod/mini'
import { CompanyDetails, Insurance } from '../../../src/contract/insurance.ts'
import { LabTest, OrderSet } from '../../../src/contract/lab-tests.ts'
import { Provider } from '../../../src/contract/link.ts'
import { Marker } from '../../../src/contract/markers.ts'
import { OrderInput, OrderResult, OrderStep } from '../../../src/contract/orders.ts'
import { lenient } from '../../../src/contract/schema/schema.ts'
import { UserInfo } from '../../../src/contract/users.ts'
import { lifeSchemas } from './user-life.ts'

const id = z.string()
const time = lenient.dateTime
const cell = z.nullable(z.union([z.number(), z.string()]))

/** The schema of a user. */
export const User = z.object({
  user_id: id,
  info: z.nullable(UserInfo),
  created_at: time,
  ...lifeSchemas,
  living: z.optional(z.boolean()),
})
/** The schema of a user to create. */
export const UserInput = z.object({
  user_id: z.optional(id),
  info: z.optional(z.nullable(z.partial(UserInfo))),
  persona: z.optional(z.string()),
  time_zone: z.optional(z.string()),
  born: z.optional(z.string()),
  connections: z.optional(z.array(z.string())),
  living: z.optional(z.boolean()),
})

/** The schema of an insurance of a user. */
export const UserInsurance = z.object({ id, user_id: id, insurance: Insurance, created_at: time })
/** The schema of an insurance to create. */
export const UserInsuranceInput = z.object({
  id: z.optional(id),
  user_id: id,
  insurance: z.optional(z.partial(Insurance)),
})

/** The schema of a connection. */
export const Connection = z.object({
  user_id: id,
  provider: z.string(),
  provider_id: z.string(),
  oauth_scopes: z.nullable(z.array(z.string())),
  created_at: time,
})
/** The schema of a connection to create. */
export const ConnectionInput = z.object({
  ...z.partial(Connection).shape,
  user_id: id,
  provider: z.string(),
})

/** The schema of a lab order. */
export const LabOrder = z.object({
  id,
  user_id: id,
  order_set: OrderSet,
  collection_method: z.string(),
  status: z.string(),
  events: z.array(OrderStep),
  patient_details: OrderInput.shape.patient_details,
  patient_address: OrderInput.shape.patient_address,
  results: z.nullable(z.array(OrderResult)),
  appointment_id: z.nullable(id),
  created_at: time,
  updated_at: time,
})

/** The schema of a row of health data. */
export const HealthRow = z.object({
  id,
  user_id: id,
  resource: z.string(),
  values: z.record(z.string(), cell),
  updated_at: z.optional(time),
})
/** The schema of a row of health data to create. */
export const HealthRowInput = z.object({
  id: z.optional(id),
  user_id: id,
  resource: z.string(),
  values: z.optional(z.record(z.string(), cell)),
})

/** The schema of a data provider. */
export const TeamProvider = z.object({ ...Provider.shape, source_type: z.string() })

/** The schema of an insurance company. */
export const Payor = z.object({
  payor_code: z.string(),
  name: z.string(),
  address: CompanyDetails.shape.address,
})

/** The schema of a lab. */
export const CatalogueLab = z.object({ id: z.int(), slug: z.string(), name: z.string() })

const { lab: _, markers: __, ...labTestFields } = LabTest.shape
/** The schema of a lab test. */
export const CatalogueLabTest = z.object({
  ...labTestFields,
  lab_id: z.int(),
  marker_ids: z.array(z.int()),
})

/** The schema of a marker. */
export const CatalogueMarker = z.object({
  ...Marker.shape,
  a_la_carte_enabled: z.boolean(),
  test_code: z.string(),
})

/** The schema of a lab account. */
export const LabAccount = z.object({ id, lab_ids: z.array(z.int()) })

/** The schema of a bulk import. */
export const BulkImportOp = z.object({
  id,
  provider: z.string(),
  status: z.string(),
  total: z.int(),
  processed: z.int(),
  user_ids_imported: z.array(id),
  user_ids_failed: z.array(id),
  started_at: time,
  ended_at: z.nullable(time),
})
