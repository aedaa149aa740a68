import type { Appointment } from '../../contract/appointments.ts'
import type { ServiceError } from '../errors/service-error.ts'
import { booleanRule, callbackRule, type OptionRules } from '../options/rules.ts'
import { type AppointmentWaitOptions, pollOptionRules } from './wait-options.ts'

/** An appointment as reported by a response or an event. A response contains every field; an event can omit some. */
export type SeenAppointment = Pick<Appointment, 'id' | 'status'> & Partial<Appointment>

/** A booking whose outcome is known. */
export interface EndedBooking {
  /**
   * `booked`: the appointment is confirmed, in progress or completed. `cancelled`: the booking failed or was cancelled;
   * you may book again with a new booking key.
   */
  result: 'booked' | 'cancelled'
  /** The appointment, as reported by a response or an event. */
  appointment: SeenAppointment
  /** Undefined, because the result is known. */
  error?: undefined
}

/** A booking whose outcome is unknown. The visit may still be booked. */
export interface UnresolvedBooking {
  /** The outcome is unknown. Have someone check whether the visit is booked; never book again automatically. */
  result: 'unresolved'
  /** Undefined, because the result is unknown. */
  appointment?: undefined
  /**
   * Why the outcome is unknown. `cause` is the error from the booking or the last check; `requestId` identifies the
   * booking request to the service's support team.
   */
  error: ServiceError
}

/** The outcome of a booking; see `result`. */
export type BookingResult = EndedBooking | UnresolvedBooking

/** Options for `orders.bookAndWait`, in addition to the options for each request. */
export interface BookAndWaitOptions extends Omit<AppointmentWaitOptions, 'status' | 'booking'> {
  /**
   * The ids of the order's earlier appointments, which are ignored. `[]` means none. Default: the order's current
   * appointment, which is read before the booking is sent. A 404 for the order's appointment does not rule out earlier
   * ones.
   */
  after?: string | readonly string[] | undefined
  /**
   * Whether an earlier process already sent the booking. If so, the call only tracks that booking. Requires `after`.
   * Default: false.
   */
  alreadySent?: boolean | undefined
  /**
   * Returns the `data` of the events that your webhook received about the order's appointments, oldest first. Called
   * before the booking is sent and again at every check. Events received before the booking are attributed to an
   * earlier appointment. If the order may have an earlier appointment, later events are ignored until a response
   * includes the new one. Contradictory events, errors that the function throws, and results that take longer than 10
   * seconds are ignored. Default: none.
   */
  received?:
    | ((
        orderId: string,
      ) => readonly Partial<Appointment>[] | PromiseLike<readonly Partial<Appointment>[]>)
    | undefined
  /**
   * The time limit for the whole call in milliseconds, from 1 to 2,147,483,647. Default: one minute more than an
   * asynchronous booking's `async_confirmation_timeout_millisecond` (specification 4.8); otherwise 16 minutes. The
   * default limit starts when the booking request ends.
   */
  deadline?: number | undefined
}

export const bookingOptionRules: Record<keyof BookAndWaitOptions, OptionRules[string]> = {
  ...pollOptionRules,
  alreadySent: booleanRule,
  received: callbackRule,
}
