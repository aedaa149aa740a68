import { setTimeout } from 'node:timers/promises'
import {
  type Appointment,
  type BookingInput,
  NotFoundError,
  type ServiceClient,
  ServiceError,
} from 'health-lab-sdk'

const minute = 60_000

/** The default of `async_confirmation_timeout_millisecond` (specification 4.8). */
const longestBooking = 15 * minute

/** What a response or an event says about an appointment. */
export type Sighting = Pick<Appointment, 'id' | 'status'>

/** `ask-a-person`: nothing proves whether the order is booked. `error` is what the booking failed with, if it failed. */
export type BookingResult =
  | { result: 'booked' | 'cancelled'; appointment: Sighting }
  | { result: 'ask-a-person'; error?: unknown }

export interface FollowOptions {
  /** The id of a finished appointment that the order had before this booking. */
  earlier?: string | undefined
  /** How long the booking may take, in milliseconds. Default: 15 minutes. */
  longest?: number
  /** Returns what your webhook received about appointments of the order, the newest last. */
  received?: (orderId: string) => Promise<Sighting[]>
  /** Waits between two checks. */
  sleep?: (milliseconds: number) => Promise<unknown>
}

/**
 * Books an appointment and waits until it is clear whether it is booked. Never sends the booking twice.
 *
 * @throws {ServiceError} Only when this call booked nothing: it was not sent, or the service rejected it.
 */
export async function bookOnce(
  client: ServiceClient,
  orderId: string,
  booking: BookingInput,
  options: Pick<FollowOptions, 'received' | 'sleep'> = {},
): Promise<BookingResult> {
  const earlier = await finishedAppointment(client, orderId)
  const longest = booking.async_confirmation_timeout_millisecond ?? longestBooking
  try {
    const appointment = await client.orders.bookPhlebotomyAppointment(orderId, booking)
    const result = resultOf(appointment)
    if (result) return { result, appointment }
  } catch (error) {
    if (error instanceof ServiceError && hadNoEffect(error)) throw error
    const found = await followBooking(client, orderId, { ...options, earlier, longest })
    return found.result === 'ask-a-person' ? { ...found, error } : found
  }
  return followBooking(client, orderId, { ...options, earlier, longest })
}

/** Checks every 30 seconds how a booking ended, until a minute after it should have ended. */
export async function followBooking(
  client: ServiceClient,
  orderId: string,
  { earlier, longest = longestBooking, received, sleep = setTimeout }: FollowOptions = {},
): Promise<BookingResult> {
  // A check that fails, and a 404, prove nothing: the next one may find the appointment.
  const fromEvents = async () => (await received?.(orderId).catch(() => [])) ?? []
  const fromService = () => client.orders.getPhlebotomyAppointment(orderId).catch(() => undefined)
  for (let waited = 0; ; waited += minute / 2) {
    const seen = [...(await fromEvents()), await fromService()]
    const appointment = seen.findLast((one) => one?.id !== earlier && resultOf(one))
    const result = resultOf(appointment)
    if (appointment && result) return { result, appointment }
    if (waited >= longest + minute) return { result: 'ask-a-person' }
    await sleep(minute / 2)
  }
}

/** How a booking ended; undefined while it may still go on, and for a status that is new. */
function resultOf(seen: Sighting | undefined): 'booked' | 'cancelled' | undefined {
  if (seen?.status === 'cancelled') return 'cancelled'
  const isBooked = ['confirmed', 'in_progress', 'completed'].includes(seen?.status ?? '')
  return isBooked ? 'booked' : undefined
}

function hadNoEffect({ outcome }: ServiceError): boolean {
  return outcome === 'not-sent' || outcome === 'rejected'
}

/** The id of an appointment that the order has already, so that it is not taken for the new one. */
async function finishedAppointment(client: ServiceClient, orderId: string) {
  try {
    const before = await client.orders.getPhlebotomyAppointment(orderId)
    return resultOf(before) && before.id
  } catch (error) {
    if (error instanceof NotFoundError) return undefined
    throw error
  }
}

/** Keeps what events say about appointments. In production, keep it in your database. */
export function appointmentEvents() {
  const seen: (Sighting & { order_id?: string })[] = []
  // The specification does not show what these events hold. The assumed content is the appointment.
  const keep = ({ data }: { data: object }) => void seen.push(data as Appointment)
  return {
    on: { 'labtest.appointment.created': keep, 'labtest.appointment.updated': keep },
    received: async (orderId: string) => seen.filter(({ order_id }) => order_id === orderId),
  }
}
