import type { BookingInput } from '../../../src/contract/appointments.ts'
import type { BulkImportInput } from '../../../src/contract/link.ts'
import { isObject } from '../../../src/contract/schema/object.ts'
import { confirmationTimeouts } from '../../../src/contract/values/bounds.ts'
import type { ExchangeResult } from '../../faults/effects.ts'
import type { BookingOutcome } from '../../state/bookings/booking-outcomes.ts'
import { spanOf } from '../../state/clock/time.ts'
import type { Settings } from '../../state/defaults.ts'
import type { Team } from '../../team.ts'
import type { FaultyRequest } from './faulty-request.ts'

/** The magic keys of bookings that are confirmed; a fault replaces them, because they decide the outcome. */
const confirmingKey = /^bk_confirm(?:_after_|$)/

/** Lets a booking have another outcome than the scenario expects, unless its key says that it fails. */
export function nextBooking(
  outcomeOf: (body: Partial<BookingInput>, team: Team) => BookingOutcome,
): (request: FaultyRequest) => Promise<ExchangeResult> {
  return async ({ team, text, handle }) => {
    const sent = await text()
    const body = parseBody<BookingInput>(sent)
    const isMagic = confirmingKey.test(String(body.booking_key))
    const changed = isMagic ? JSON.stringify({ ...body, booking_key: team.bookings.key() }) : sent
    const { bookingOutcome } = team.settings
    team.configure({ bookingOutcome: outcomeOf(body, team) })
    return handle(() => changed).finally(() => team.configure({ bookingOutcome }))
  }
}

/** Returns the milliseconds after which the service gives a booking up (specification 4.8). */
export function longestBooking(
  body: Partial<BookingInput>,
  { synchronousBookingTimeout }: Pick<Settings, 'synchronousBookingTimeout'>,
): number {
  if (!body.async_confirmation) return spanOf(synchronousBookingTimeout)
  return body.async_confirmation_timeout_millisecond ?? confirmationTimeouts.async.default
}

/** Lets an import take longer than the service waits. */
export async function importSlowly({ team, handle }: FaultyRequest): Promise<ExchangeResult> {
  const { importTimePerConnection } = team.settings
  team.configure({ importTimePerConnection: '1m' })
  return handle().finally(() => team.configure({ importTimePerConnection }))
}

/** Lets an import whose program waits for the result take longer, and aborts it (assumed state of bulk operations). */
export async function abortImport(request: FaultyRequest): Promise<ExchangeResult> {
  const { team, text, handle } = request
  const sent = await text()
  const isAwaited = parseBody<BulkImportInput>(sent).wait_for_completion === true
  if (!isAwaited) return handle(() => sent)
  const earlier = new Set(team.bulkOps.list().map(({ id }) => id))
  const result = await importSlowly({ ...request, handle: () => handle(() => sent) })
  for (const { id, status } of team.bulkOps.list()) {
    if (status === 'in_progress' && !earlier.has(id)) team.bulkOps.abort(id)
  }
  return result
}

/** The service itself reports an invalid body. */
function parseBody<Body extends object>(text: string | undefined): Partial<Body> {
  try {
    const body: unknown = JSON.parse(text ?? '')
    // Every field is optional, and the service checks their types.
    return isObject(body) ? (body as Partial<Body>) : {}
  } catch {
    return {}
  }
}
