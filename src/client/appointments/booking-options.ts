import type { Appointment } from '../../contract/appointments.ts'
import type { ServiceError } from '../errors/service-error.ts'
import { booleanRule, callbackRule, type OptionRules } from '../options/rules.ts'
import { type AppointmentWaitOptions, pollOptionRules } from './wait-options.ts'

/** What a response or an event shows of an appointment. A response contains all fields, an event perhaps fewer. */
export type SeenAppointment = Pick<Appointment, 'id' | 'status'> & Partial<Appointment>

/** A booking that has ended. */
export interface EndedBooking {
  /**
   * `booked`: the appointment is confirmed, in progress or completed. `cancelled`: the booking failed or was cancelled; you
   * may book again with a new booking key.
   */
  result: 'booked' | 'cancelled'
  /** The appointment, as a response or an event showed it. */
  appointment: SeenAppointment
  /** Undefined, because the result is known. */
  error?: undefined
}

/** A booking whose outcome is unknown. The visit may still be booked. */
export interface UnresolvedBooking {
  /** A person must check whether the visit is booked. Never book again automatically. */
  result: 'unresolved'
  /** Undefined, because the result is not known. */
  appointment?: undefined
  /**
   * What happened. `cause` is what the booking failed with, or the last check; `requestId` identifies the booking request
   * for the service's support.
   */
  error: ServiceError
}

/** How a booking ended, by its `result`. */
export type BookingResult = EndedBooking | UnresolvedBooking

/** Options of `orders.bookAndWait`, in addition to the options of each request. */
export interface BookAndWaitOptions extends Omit<AppointmentWaitOptions, 'status' | 'booking'> {
  /**
   * The ids of the appointments that the order had before the booking, which are ignored. `[]` says that it had none.
   * Default: the order's present appointment, which is read before the booking is sent. A 404 does not prove that it had none.
   */
  after?: string | readonly string[] | undefined
  /**
   * Whether an earlier call already sent the booking, in a process that ended: then the call sends nothing and only
   * follows the booking. Needs `after`. Default: false.
   */
  alreadySent?: boolean | undefined
  /**
   * Returns what your webhook received about appointments of the order: `data` of the events, the newest last. Called before
   * the booking is sent, because events received by then belong to an earlier appointment, and before every check. Unless `after`
   * is `[]`, events count only after a response has shown the new appointment, because those of an earlier one may arrive late.
   * Contradictory events are ignored. So are errors that it throws, and a result that takes longer than 10 seconds.
   * Default: none.
   */
  received?:
    | ((
        orderId: string,
      ) => readonly Partial<Appointment>[] | PromiseLike<readonly Partial<Appointment>[]>)
    | undefined
  /**
   * Milliseconds for the whole call, from 1 to 2,147,483,647. The default counts from the end of the booking's own request.
   * Default: a minute more than the service tries to confirm the booking (specification 4.8), which is
   * `async_confirmation_timeout_millisecond` of an asynchronous booking, and otherwise 15 minutes.
   */
  deadline?: number | undefined
}

/** The rules of the options, one for each. */
export const bookingOptionRules: Record<keyof BookAndWaitOptions, OptionRules[string]> = {
  ...pollOptionRules,
  alreadySent: booleanRule,
  received: callbackRule,
}
