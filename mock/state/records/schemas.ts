import * as z from 'zod/mini'
import { CompanyDetails, Insurance } from '../../../src/contract/insurance.ts'
import { LabTest, OrderSet } from '../../../src/contract/lab-tests.ts'
import { Provider } from '../../../src/contract/link.ts'
import { Marker } from '../../../src/contract/markers.ts'
import { OrderInput, OrderResult } from '../../../src/contract/orders.ts'
import { lenient } from '../../../src/contract/schema/schema.ts'
import { UserInfo } from '../../../src/contract/users.ts'

/** The records of a team, as the control API shows and takes them. */

const id = z.string()
const time = lenient.dateTime
const cell = z.nullable(z.union([z.number(), z.string()]))

export const User = z.object({ user_id: id, info: z.nullable(UserInfo), created_at: time })
export const UserInput = z.object({
  user_id: z.optional(id),
  info: z.optional(z.nullable(z.partial(UserInfo))),
})

export const UserInsurance = z.object({ id, user_id: id, insurance: Insurance, created_at: time })
export const UserInsuranceInput = z.object({
  id: z.optional(id),
  user_id: id,
  insurance: z.optional(z.partial(Insurance)),
})

export const Connection = z.object({
  user_id: id,
  provider: z.string(),
  provider_id: z.string(),
  oauth_scopes: z.nullable(z.array(z.string())),
  created_at: time,
})
export const ConnectionInput = z.object({
  ...z.partial(Connection).shape,
  user_id: id,
  provider: z.string(),
})

export const LabOrder = z.object({
  id,
  user_id: id,
  order_set: OrderSet,
  collection_method: z.string(),
  status: z.string(),
  patient_details: OrderInput.shape.patient_details,
  patient_address: OrderInput.shape.patient_address,
  results: z.nullable(z.array(OrderResult)),
  appointment_id: z.nullable(id),
  created_at: time,
  updated_at: time,
})

export const HealthRow = z.object({
  id,
  user_id: id,
  resource: z.string(),
  values: z.record(z.string(), cell),
})
export const HealthRowInput = z.object({
  id: z.optional(id),
  user_id: id,
  resource: z.string(),
  values: z.optional(z.record(z.string(), cell)),
})

export const TeamProvider = z.object({ ...Provider.shape, source_type: z.string() })

export const Payor = z.object({
  payor_code: z.string(),
  name: z.string(),
  address: CompanyDetails.shape.address,
})

export const CatalogueLab = z.object({ id: z.int(), slug: z.string(), name: z.string() })

const { lab: _, markers: __, ...labTestFields } = LabTest.shape
export const CatalogueLabTest = z.object({
  ...labTestFields,
  lab_id: z.int(),
  marker_ids: z.array(z.int()),
})

export const CatalogueMarker = z.object({
  ...Marker.shape,
  a_la_carte_enabled: z.boolean(),
  test_code: z.string(),
})

export const LabAccount = z.object({ id, lab_ids: z.array(z.int()) })

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
