import * as z from 'zod/mini'
import { integer, lenient, nullishString, openEnum, shortString } from './schema-tools/schema.ts'
import { confirmationTimeouts, notesLength } from './values/bounds.ts'
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

/** The address of an appointment (specification 2.6). */
export interface USAddress {
  /** Street and house number. */
  first_line?: string | null | undefined
  /** A second line of the street address. */
  second_line?: string | null | undefined
  /** The city. */
  city?: string | null | undefined
  /** The state, such as `CA`. */
  state?: string | null | undefined
  /** The ZIP code, such as `94107`. */
  zip_code?: string | null | undefined
  /** The apartment or suite number. */
  unit?: string | null | undefined
  /** Access instructions, such as a gate code. */
  access_notes?: string | null | undefined
}
export const USAddress = z.object({
  first_line: nullishString,
  second_line: nullishString,
  city: nullishString,
  state: nullishString,
  zip_code: nullishString,
  unit: nullishString,
  access_notes: nullishString,
})

/** A geographic position (specification 2.6). */
export interface LngLat {
  /** Longitude in degrees, from -180 to 180. */
  lng: number
  /** Latitude in degrees, from -90 to 90. */
  lat: number
}
export const LngLat = z.object({ lng: z.number(), lat: z.number() })

/** One step in an appointment's history (shape assumed). */
export interface AppointmentEvent {
  /** The time of the step, in ISO 8601. */
  created_at?: string | null | undefined
  /** The appointment's `event_status` after the step. */
  status?: Open<AppointmentEventStatus> | null | undefined
  /** Additional data about the step; the specification does not define its fields. */
  data?: Record<string, unknown> | null | undefined
}
export const AppointmentEvent = z.object({
  created_at: z.nullish(lenient.dateTime),
  status: z.nullish(openEnum(appointmentEventStatuses)),
  data: z.nullish(z.record(z.string(), z.unknown())),
})

/** An appointment for a lab order (specification 2.6). */
export interface Appointment {
  /** The appointment's id, a UUID. */
  id: string
  /** The user's id, a UUID. */
  user_id: string
  /** The lab order's id, a UUID. */
  order_id: string
  /** Where the sample is collected. */
  address: USAddress
  /** The coordinates of the address. */
  location: LngLat
  /** The start time in UTC (ISO 8601); null until a time is set. */
  start_at: string | null
  /** The end time in UTC (ISO 8601); null until a time is set. */
  end_at: string | null
  /** One of {@link appointmentTypes}, or a value added later. */
  type: Open<AppointmentType>
  /** The company that collects the sample, such as `getlabs`. */
  provider: Open<AppointmentProvider>
  /** The appointment's state (specification 3.1). */
  status: Open<AppointmentStatus>
  /** The provider's id for the appointment. */
  provider_id: string
  /** Whether the appointment can be rescheduled. */
  can_reschedule: boolean
  /** The latest event's status (specification 3.1). Its relation to `status` is not specified. */
  event_status: Open<AppointmentEventStatus>
  /** The appointment's history. */
  events: AppointmentEvent[]
  /** The order transaction's id, a UUID. */
  order_transaction_id?: string | null | undefined
  /** The location's time zone, an IANA name such as `America/New_York`. */
  iana_timezone?: string | null | undefined
  /** The appointment's id in an unspecified external system. */
  external_id?: string | null | undefined
  /** Notes from the booking; at most 1,000 characters. */
  appointment_notes?: string | null | undefined
  /** Data from the latest event; the specification does not define its fields. */
  event_data?: Record<string, unknown> | null | undefined
}
export const Appointment = z.object({
  id: lenient.uuid,
  user_id: lenient.uuid,
  order_id: lenient.uuid,
  address: USAddress,
  location: LngLat,
  start_at: z.nullable(lenient.dateTime),
  end_at: z.nullable(lenient.dateTime),
  type: openEnum(appointmentTypes),
  provider: openEnum(appointmentProviders),
  status: openEnum(appointmentStatuses),
  provider_id: z.string(),
  can_reschedule: z.boolean(),
  event_status: openEnum(appointmentEventStatuses),
  events: z.array(AppointmentEvent),
  order_transaction_id: z.nullish(lenient.uuid),
  iana_timezone: z.nullish(lenient.ianaTimezone),
  external_id: nullishString,
  appointment_notes: z.nullish(lenient.shortString(notesLength)),
  event_data: z.nullish(z.record(z.string(), z.unknown())),
})

/** A request to book a phlebotomy appointment (specification 4.8). */
export interface BookingInput {
  /**
   * The key of an available slot. It can be used only once and may expire (an assumption). The specification does not
   * say how to obtain it.
   */
  booking_key: string
  /** Notes for the phlebotomist; at most 1,000 characters. */
  appointment_notes?: string | null | undefined
  /** Whether to return a pending appointment if no confirmation arrives in time. Default: false. */
  async_confirmation?: boolean | undefined
  /**
   * How long to wait for a confirmation before returning a pending appointment, in milliseconds (1,000 to 10,000).
   * Default: 2,500. Ignored unless `async_confirmation` is true.
   */
  sync_confirmation_timeout_millisecond?: number | null | undefined
  /**
   * The time after which a pending appointment is cancelled, in milliseconds (60,000 to 172,800,000). Default: 15
   * minutes. Ignored unless `async_confirmation` is true.
   */
  async_confirmation_timeout_millisecond?: number | null | undefined
}
const { sync, async } = confirmationTimeouts
export const BookingInput = z.object({
  booking_key: z.string(),
  appointment_notes: z.nullish(shortString(notesLength)),
  async_confirmation: z.optional(z.boolean()),
  sync_confirmation_timeout_millisecond: z.nullish(integer(sync.minimum, sync.maximum)),
  async_confirmation_timeout_millisecond: z.nullish(integer(async.minimum, async.maximum)),
})
