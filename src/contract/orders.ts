import * as z from 'zod/mini'
import { Appointment, BookingInput } from './appointments.ts'
import { OrderSet } from './lab-tests.ts'
import { endpoint } from './schema-tools/define-endpoint.ts'
import {
  assumeRequired,
  lenient,
  nullishString,
  requiredString,
  uuid,
} from './schema-tools/schema.ts'
import { confirmationTimeouts, synchronousBookingWait } from './values/bounds.ts'
import { deprecationOf } from './values/deprecations.ts'

/** The patient in an order (shape assumed). */
export interface PatientDetails {
  /** The first name; must pass {@link isLabName}. */
  first_name: string
  /** The last name; must pass {@link isLabName}. */
  last_name: string
  /** Date of birth, `YYYY-MM-DD`. */
  dob: string
  /** The gender as free text; commonly `female`, `male`, `other` or `unknown`. */
  gender: string
  /** A phone number with a country code, such as `+14155550123` (format unspecified). */
  phone_number: string
  /** An e-mail address, not checked by the client. */
  email: string
}
export const PatientDetails = z.object({
  first_name: requiredString,
  last_name: requiredString,
  dob: requiredString,
  gender: requiredString,
  phone_number: requiredString,
  email: requiredString,
})

/** A patient's address in an order (shape assumed). */
export interface PatientAddress {
  /** Street and house number. */
  first_line: string
  /** Apartment, suite or floor. */
  second_line?: string | null | undefined
  /** The city. */
  city: string
  /** The state, such as `CA`. */
  state: string
  /** The ZIP code, such as `94107`. */
  zip: string
  /** The country, such as `US`. */
  country: string
  /** The testkit recipient's name. Default: the patient's. */
  receiver_name?: string | null | undefined
  /** The recipient's phone number. */
  phone_number?: string | null | undefined
  /** Access instructions, such as a gate code. */
  access_notes?: string | null | undefined
  /** Additional, unspecified fields. */
  [field: string]: unknown
}
export const PatientAddress = z.looseObject({
  first_line: requiredString,
  second_line: nullishString,
  city: requiredString,
  state: requiredString,
  zip: requiredString,
  country: requiredString,
  receiver_name: nullishString,
  phone_number: nullishString,
  access_notes: nullishString,
})

/**
 * A lab order to create (specification 4.12; shape assumed). The specification does not say which fields are required.
 * The types require the user, patient and address; the client requires none of them.
 */
export interface OrderInput {
  /** The patient's user id, a UUID. */
  user_id: string
  /** The person to be tested. */
  patient_details: PatientDetails
  /** Where the sample is collected, or where the testkit is sent. */
  patient_address: PatientAddress
  /** The lab tests and markers to order. */
  order_set?: OrderSet | null | undefined
  /** @deprecated Use `order_set` (specification part 9; no removal date given). */
  lab_test_id?: string | null | undefined
  /** The collection method, such as `at_home_phlebotomy` or `testkit`. */
  collection_method?: string | null | undefined
}
export const OrderInput = z.object({
  user_id: assumeRequired(uuid),
  patient_details: assumeRequired(PatientDetails),
  patient_address: assumeRequired(PatientAddress),
  order_set: z.nullish(OrderSet),
  lab_test_id: nullishString,
  collection_method: nullishString,
})

/** One result in an order (`result`, `result_type` and `value` from specification part 9; other fields assumed). */
export interface OrderResult {
  /** The marker's name. */
  name?: string | null | undefined
  /** The marker's slug. */
  slug?: string | null | undefined
  /** The result as a string; parse it according to `result_type`. */
  result?: string | null | undefined
  /** The format of `result`, such as `numeric`, `range` or `comment`. */
  result_type?: string | null | undefined
  /** The result's unit, such as `mg/dL`. */
  unit?: string | null | undefined
  /** @deprecated Use `result`, parsed according to `result_type` (specification part 9; no removal date given). */
  value?: number | string | null | undefined
}
export const OrderResult = z.object({
  name: nullishString,
  slug: nullishString,
  result: nullishString,
  result_type: nullishString,
  unit: nullishString,
  value: z.nullish(z.union([z.number(), z.string()])),
})

/** One step in an order's history (shape assumed). */
export interface OrderStep {
  /** The step's id. */
  id?: number | null | undefined
  /** The low-level status, such as `received.at_home_phlebotomy.ordered`. */
  status?: string | null | undefined
  /** The time of the step, in ISO 8601. */
  created_at?: string | null | undefined
}
export const OrderStep = z.object({
  id: z.nullish(z.int()),
  status: nullishString,
  created_at: z.nullish(lenient.dateTime),
})

/** A summary of an ordered lab test (shape assumed). */
export interface OrderedLabTest {
  /** The lab test's id, a UUID. */
  id?: string | null | undefined
  /** A lower-case identifier, such as `lipid-panel`. */
  slug?: string | null | undefined
  /** The lab test's name. */
  name?: string | null | undefined
  /** A description of what the lab test measures. */
  description?: string | null | undefined
  /** The collection method, such as `at_home_phlebotomy` or `testkit`. */
  method?: string | null | undefined
  /** The sample material, such as serum or saliva. */
  sample_type?: string | null | undefined
}
export const OrderedLabTest = z.object({
  id: z.nullish(lenient.uuid),
  slug: nullishString,
  name: nullishString,
  description: nullishString,
  method: nullishString,
  sample_type: nullishString,
})

/** Order details that depend on the collection method (shape assumed). */
export interface OrderDetails {
  /** The collection method, such as `testkit`. */
  type?: string | null | undefined
  /** The details, such as a shipment. Their fields are not specified. */
  data?: unknown
}
export const OrderDetails = z.object({
  type: nullishString,
  data: z.optional(z.unknown()),
})

/** A lab order (specification 4.12; shape assumed). */
export interface Order {
  /** The order's id, a UUID. */
  id: string
  /** The team's id, a UUID. */
  team_id?: string | null | undefined
  /** The patient's user id, a UUID. */
  user_id?: string | null | undefined
  /** The ordered lab tests and markers. */
  order_set?: OrderSet | null | undefined
  /** The first lab test of the order set; null if the set has only markers. */
  lab_test?: OrderedLabTest | null | undefined
  /** The collection method, such as `at_home_phlebotomy` or `testkit`. */
  collection_method?: string | null | undefined
  /** Details specific to the collection method. */
  details?: OrderDetails | null | undefined
  /** Whether the patient signed an advance beneficiary notice, which Medicare may require. */
  has_abn?: boolean | null | undefined
  /** The order's status, such as `received`. */
  status?: string | null | undefined
  /** The order's steps so far, oldest first. */
  events?: OrderStep[] | null | undefined
  /** The latest step. */
  last_event?: OrderStep | null | undefined
  /** When the order was created, in ISO 8601. */
  created_at?: string | null | undefined
  /** When the order last changed, in ISO 8601. */
  updated_at?: string | null | undefined
  /** The results; null or absent until the lab has reported them. */
  results?: OrderResult[] | null | undefined
  /**
   * @deprecated Use `orders.downloadRequisition` (specification part 9; no removal date given). The URL is valid for 7
   * days.
   */
  requisition_form_url?: string | null | undefined
}
export const Order = z.object({
  id: lenient.uuid,
  team_id: z.nullish(lenient.uuid),
  user_id: z.nullish(lenient.uuid),
  order_set: z.nullish(OrderSet),
  lab_test: z.nullish(OrderedLabTest),
  collection_method: nullishString,
  details: z.nullish(OrderDetails),
  has_abn: z.nullish(z.boolean()),
  status: nullishString,
  events: z.nullish(z.array(OrderStep)),
  last_event: z.nullish(OrderStep),
  created_at: z.nullish(lenient.dateTime),
  updated_at: z.nullish(lenient.dateTime),
  results: z.nullish(z.array(OrderResult)),
  requisition_form_url: nullishString,
})

/** The response to creating an order (shape assumed). */
export interface CreatedOrder {
  /** The created order. */
  order: Order
  /** A one-word outcome, such as `success`. */
  status?: string | null | undefined
  /** A message about the outcome. */
  message?: string | null | undefined
}
export const CreatedOrder = z.object({
  order: Order,
  status: nullishString,
  message: nullishString,
})

export const bookPhlebotomyAppointment = endpoint('orders.bookPhlebotomyAppointment', {
  params: { order_id: uuid },
  body: BookingInput,
  responses: { 200: Appointment },
  serviceWait: (body: BookingInput) =>
    body.async_confirmation
      ? (body.sync_confirmation_timeout_millisecond ?? confirmationTimeouts.sync.default)
      : synchronousBookingWait,
  echoes: { order_id: 'params.order_id' },
})

export const createOrder = endpoint('orders.create', {
  body: OrderInput,
  responses: { 200: CreatedOrder },
  acceptsIdempotencyKey: true,
  echoes: { 'order.user_id': 'body.user_id' },
  deprecatedFields: { lab_test_id: deprecationOf('labTestId') },
})

export const getPhlebotomyAppointment = endpoint('orders.getPhlebotomyAppointment', {
  params: { order_id: uuid },
  responses: { 200: Appointment },
  echoes: { order_id: 'params.order_id' },
})

export const downloadRequisition = endpoint('orders.downloadRequisition', {
  params: { order_id: uuid },
  responses: { 200: 'binary' },
})
