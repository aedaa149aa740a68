import * as z from 'zod/mini'
import { OrderSet } from '../../../src/contract/lab-tests.ts'
import {
  OrderResult,
  OrderStep,
  PatientAddress,
  PatientDetails,
} from '../../../src/contract/orders.ts'
import { assumeRequired, date, lenient } from '../../../src/contract/schema-tools/schema.ts'
import { typed } from './schemas.ts'

/** A team's lab order (specification 4.12). */
export interface LabOrder {
  /** The order's id, a UUID. */
  id: string
  /** The patient's user id. */
  user_id: string
  /** The ordered lab tests and markers. */
  order_set: OrderSet
  /** The collection method. Bookings require `at_home_phlebotomy` (specification 4.8). */
  collection_method: string
  /** Whether the patient signed an advance beneficiary notice. Default: false. */
  has_abn?: boolean | undefined
  /** The status, such as `received`, `collecting_sample`, `completed` or `cancelled`. */
  status: string
  /** The order's steps, oldest first. A change to a known `status` adds a step. */
  events: OrderStep[]
  /** The patient. Default: the user. */
  patient_details: PatientDetails
  /** Where the sample is collected. */
  patient_address: PatientAddress
  /** The results. Null until the order is completed. */
  results: OrderResult[] | null
  /** The id of the latest appointment, or null if there is none. */
  appointment_id: string | null
  /** The virtual time of creation, in ISO 8601. */
  created_at: string
  /** The virtual time of the last change, in ISO 8601. Each change makes it later, by at least 1 ms. */
  updated_at: string
}
export const LabOrder = z.object({
  id: z.string(),
  user_id: z.string(),
  order_set: OrderSet,
  collection_method: z.string(),
  has_abn: z.optional(z.boolean()),
  status: z.string(),
  events: z.array(OrderStep),
  // The service accepts additional fields.
  patient_details: typed<PatientDetails>(
    z.looseObject({ ...PatientDetails.shape, dob: assumeRequired(date) }),
  ),
  patient_address: PatientAddress,
  results: z.nullable(z.array(OrderResult)),
  appointment_id: z.nullable(z.string()),
  created_at: lenient.dateTime,
  updated_at: lenient.dateTime,
})

/** An order to create. Omitted fields are generated. If `user_id` is omitted, a user is also created. */
export type LabOrderInput = Partial<LabOrder>
