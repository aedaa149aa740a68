import * as z from 'zod/mini'
import { OrderSet } from './lab-tests.ts'
import { endpoint } from './schema/endpoint.ts'
import { answered, integer, maybe, openEnum, presumed, text, uuid } from './schema/schema.ts'
import {
  type AppointmentEventStatus,
  type AppointmentProvider,
  type AppointmentStatus,
  type AppointmentType,
  appointmentEventStatuses,
  appointmentProviders,
  appointmentStatuses,
  appointmentTypes,
  type Open,
} from './values/known-values.ts'

/** The bounds of a booking's timeouts, in milliseconds (part 8). Both apply only with `async_confirmation`. */
export const confirmationTimeouts = {
  sync: { minimum: 1000, maximum: 10_000, default: 2500 },
  async: { minimum: 60_000, maximum: 172_800_000, default: 15 * 60_000 },
} as const

/** The greatest length of `appointment_notes` (part 8). */
export const appointmentNotesLength = 1000

/** Where an appointment takes place (specification 2.6). */
export interface USAddress {
  first_line?: string | null | undefined
  second_line?: string | null | undefined
  city?: string | null | undefined
  state?: string | null | undefined
  zip_code?: string | null | undefined
  unit?: string | null | undefined
  access_notes?: string | null | undefined
}
export const USAddress = z.object({
  first_line: maybe(z.string()),
  second_line: maybe(z.string()),
  city: maybe(z.string()),
  state: maybe(z.string()),
  zip_code: maybe(z.string()),
  unit: maybe(z.string()),
  access_notes: maybe(z.string()),
})

/** A place on earth, in degrees (specification 2.6). */
export interface LngLat {
  lng: number
  lat: number
}
export const LngLat = z.object({ lng: z.number(), lat: z.number() })

/** One step in an appointment's life (shape as presumed). */
export interface AppointmentEvent {
  created_at?: string | null | undefined
  status?: Open<AppointmentEventStatus> | null | undefined
  data?: Record<string, unknown> | null | undefined
}
export const AppointmentEvent = z.object({
  created_at: maybe(answered.dateTime),
  status: maybe(openEnum(appointmentEventStatuses)),
  data: maybe(z.record(z.string(), z.unknown())),
})

/** An appointment for a lab order (specification 2.6). */
export interface Appointment {
  id: string
  user_id: string
  order_id: string
  address: USAddress
  location: LngLat
  /** UTC. */
  start_at: string | null
  /** UTC. */
  end_at: string | null
  type: Open<AppointmentType>
  provider: Open<AppointmentProvider>
  status: Open<AppointmentStatus>
  provider_id: string
  can_reschedule: boolean
  event_status: Open<AppointmentEventStatus>
  events: AppointmentEvent[]
  order_transaction_id?: string | null | undefined
  /** An IANA zone name. */
  iana_timezone?: string | null | undefined
  external_id?: string | null | undefined
  /** At most 1,000 characters. */
  appointment_notes?: string | null | undefined
  event_data?: Record<string, unknown> | null | undefined
}
export const Appointment = z.object({
  id: answered.uuid,
  user_id: answered.uuid,
  order_id: answered.uuid,
  address: USAddress,
  location: LngLat,
  start_at: z.nullable(answered.dateTime),
  end_at: z.nullable(answered.dateTime),
  type: openEnum(appointmentTypes),
  provider: openEnum(appointmentProviders),
  status: openEnum(appointmentStatuses),
  provider_id: z.string(),
  can_reschedule: z.boolean(),
  event_status: openEnum(appointmentEventStatuses),
  events: z.array(AppointmentEvent),
  order_transaction_id: maybe(answered.uuid),
  iana_timezone: maybe(answered.ianaTimezone),
  external_id: maybe(z.string()),
  appointment_notes: maybe(answered.text(appointmentNotesLength)),
  event_data: maybe(z.record(z.string(), z.unknown())),
})

/** A booking of a phlebotomy appointment (specification 4.8). */
export interface BookingInput {
  booking_key: string
  /** At most 1,000 characters. */
  appointment_notes?: string | null | undefined
  /** Whether to answer with a pending appointment when no confirmation comes in time. Default: false. */
  async_confirmation?: boolean | undefined
  /**
   * Milliseconds to wait for a confirmation before a pending appointment is answered, from 1,000 to 10,000, inclusive.
   * Default: 2,500. It has no effect without `async_confirmation`.
   */
  sync_confirmation_timeout_millisecond?: number | null | undefined
  /**
   * Milliseconds after which a pending appointment is cancelled, from 60,000 to 172,800,000, inclusive.
   * Default: 15 minutes. It has no effect without `async_confirmation`.
   */
  async_confirmation_timeout_millisecond?: number | null | undefined
}
export const BookingInput = z.object({
  booking_key: z.string(),
  appointment_notes: maybe(text(appointmentNotesLength)),
  async_confirmation: z.optional(z.boolean()),
  sync_confirmation_timeout_millisecond: maybe(
    integer(confirmationTimeouts.sync.minimum, confirmationTimeouts.sync.maximum),
  ),
  async_confirmation_timeout_millisecond: maybe(
    integer(confirmationTimeouts.async.minimum, confirmationTimeouts.async.maximum),
  ),
})

/** The patient of an order (shape as presumed). */
export interface PatientDetails {
  first_name: string
  last_name: string
  /** Date of birth, `YYYY-MM-DD`. */
  dob: string
  gender: string
  phone_number: string
  email: string
}
export const PatientDetails = z.object({
  first_name: presumed(z.string()),
  last_name: presumed(z.string()),
  dob: presumed(z.string()),
  gender: presumed(z.string()),
  phone_number: presumed(z.string()),
  email: presumed(z.string()),
})

/** The address of an order's patient (shape as presumed). */
export interface PatientAddress {
  first_line: string
  second_line?: string | null | undefined
  city: string
  state: string
  /** ZIP code. */
  zip: string
  country: string
  receiver_name?: string | null | undefined
  phone_number?: string | null | undefined
  access_notes?: string | null | undefined
}
export const PatientAddress = z.object({
  first_line: presumed(z.string()),
  second_line: maybe(z.string()),
  city: presumed(z.string()),
  state: presumed(z.string()),
  zip: presumed(z.string()),
  country: presumed(z.string()),
  receiver_name: maybe(z.string()),
  phone_number: maybe(z.string()),
  access_notes: maybe(z.string()),
})

/** A lab order to create (specification 4.12; shape as presumed). */
export interface OrderInput {
  user_id: string
  patient_details: PatientDetails
  patient_address: PatientAddress
  /** The lab tests and markers ordered. */
  order_set?: OrderSet | null | undefined
  /** @deprecated Use `order_set` (specification part 9; removal date not shown). */
  lab_test_id?: string | null | undefined
  /** Such as at_home_phlebotomy, testkit or walk_in_test. */
  collection_method?: string | null | undefined
}
export const OrderInput = z.object({
  user_id: presumed(uuid),
  patient_details: presumed(PatientDetails),
  patient_address: presumed(PatientAddress),
  order_set: maybe(OrderSet),
  lab_test_id: maybe(z.string()),
  collection_method: maybe(z.string()),
})

/** One result of an order (part 9; further fields as presumed). */
export interface OrderResult {
  name?: string | null | undefined
  slug?: string | null | undefined
  /** To be parsed according to `result_type`. */
  result?: string | null | undefined
  /** Such as numeric, range or comment. */
  result_type?: string | null | undefined
  unit?: string | null | undefined
  /** @deprecated Use `result`, parsed according to `result_type` (specification part 9; removal date not shown). */
  value?: number | string | null | undefined
}
export const OrderResult = z.object({
  name: maybe(z.string()),
  slug: maybe(z.string()),
  result: maybe(z.string()),
  result_type: maybe(z.string()),
  unit: maybe(z.string()),
  value: maybe(z.union([z.number(), z.string()])),
})

/** A lab order (specification 4.12; shape as presumed). */
export interface Order {
  id: string
  user_id?: string | null | undefined
  order_set?: OrderSet | null | undefined
  collection_method?: string | null | undefined
  status?: string | null | undefined
  created_at?: string | null | undefined
  updated_at?: string | null | undefined
  results?: OrderResult[] | null | undefined
  /** @deprecated Use `orders.downloadRequisition` (specification part 9; removal date not shown). Valid for 7 days. */
  requisition_form_url?: string | null | undefined
}
export const Order = z.object({
  id: answered.uuid,
  user_id: maybe(answered.uuid),
  order_set: maybe(OrderSet),
  collection_method: maybe(z.string()),
  status: maybe(z.string()),
  created_at: maybe(answered.dateTime),
  updated_at: maybe(answered.dateTime),
  results: maybe(z.array(OrderResult)),
  requisition_form_url: maybe(z.string()),
})

/** What the creation of an order answers (shape as presumed). */
export interface CreatedOrder {
  order: Order
  status?: string | null | undefined
  message?: string | null | undefined
}
export const CreatedOrder = z.object({
  order: Order,
  status: maybe(z.string()),
  message: maybe(z.string()),
})

/**
 * Milliseconds the client grants the service for a synchronous confirmation. The specification sets no bound; with
 * the default timeout this stays just under the 300 seconds for which Node's own fetch waits for headers.
 */
export const synchronousBookingWait = 240_000

export const bookPhlebotomyAppointment = endpoint({
  id: 'orders.bookPhlebotomyAppointment',
  method: 'POST',
  path: '/v3/order/{order_id}/phlebotomy/appointment/book',
  spec: '4.8',
  effect: 'unsafe',
  params: { order_id: uuid },
  body: BookingInput,
  responses: { 200: Appointment },
  serviceWait: (body: BookingInput) =>
    body.async_confirmation
      ? (body.sync_confirmation_timeout_millisecond ?? confirmationTimeouts.sync.default)
      : synchronousBookingWait,
})

export const createOrder = endpoint({
  id: 'orders.create',
  method: 'POST',
  path: '/v3/order',
  spec: '4.12',
  effect: 'unsafe',
  body: OrderInput,
  responses: { 200: CreatedOrder },
  deprecatedFields: { lab_test_id: { replacement: 'order_set' } },
})

export const getPhlebotomyAppointment = endpoint({
  id: 'orders.getPhlebotomyAppointment',
  method: 'GET',
  path: '/v3/order/{order_id}/phlebotomy/appointment',
  spec: '4.12',
  effect: 'read',
  params: { order_id: uuid },
  responses: { 200: Appointment },
})

export const downloadRequisition = endpoint({
  id: 'orders.downloadRequisition',
  method: 'GET',
  path: '/v3/order/{order_id}/requisition/pdf',
  spec: '4.12',
  effect: 'read',
  params: { order_id: uuid },
  responses: { 200: 'binary' },
  accept: 'application/pdf',
})
