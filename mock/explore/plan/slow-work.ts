import type { BookingInput } from '../../../src/contract/appointments.ts'
import type { BulkImportInput } from '../../../src/contract/link.ts'
import { confirmationTimeouts } from '../../../src/contract/values/bounds.ts'
import { isObject } from '../../../src/shared/narrow.ts'
import type { ExchangeResult } from '../../faults/effects.ts'
import type { Intervention } from '../../http/request/request.ts'
import type { BookingOutcome } from '../../state/bookings/outcomes.ts'
import { spanOf } from '../../state/clock/time.ts'
import type { Settings } from '../../state/defaults.ts'
import type { Team } from '../../team.ts'

export interface Handling extends Intervention {
  search?: URLSearchParams
  text?: string | undefined
}

/** An incoming request, and the actions available to a fault. */
export interface FaultyRequest {
  team: Team
  operation: string
  search: URLSearchParams
  path: string
  text(): Promise<string | undefined> | string | undefined
  handle(handling?: Handling): Promise<ExchangeResult>
  wait(milliseconds: number): Promise<void>
  /** Crashes the program. Its later requests do not reach the service. */
  crash(): Promise<never>
}

/** Matches magic keys that confirm a booking. A fault replaces such a key, because it would override the outcome. */
const confirmingKey = /^bk_confirm(?:_after_|$)/

/** Returns a handler that sets a booking's outcome. Magic keys that make a booking fail take precedence. */
export function nextBooking(
  outcomeOf: (body: Partial<BookingInput>, team: Team) => BookingOutcome,
): (request: FaultyRequest) => Promise<ExchangeResult> {
  return async ({ team, text: read, handle }) => {
    const sent = await read()
    const body = parseBody<BookingInput>(sent)
    const isMagic = confirmingKey.test(String(body.booking_key))
    const text = isMagic ? JSON.stringify({ ...body, booking_key: team.bookings.key() }) : sent
    return handle({ text, around: withSettings(team, { bookingOutcome: outcomeOf(body, team) }) })
  }
}

/** Returns the booking timeout in milliseconds. */
export function bookingTimeout(
  body: Partial<BookingInput>,
  { synchronousBookingTimeout }: Settings,
): number {
  if (!body.async_confirmation) return spanOf(synchronousBookingTimeout)
  return body.async_confirmation_timeout_millisecond ?? confirmationTimeouts.async.default
}

export async function importSlowly({ team, handle }: FaultyRequest): Promise<ExchangeResult> {
  return handle({ around: withSettings(team, slowImport) })
}

/**
 * Aborts an import that the program waits for, when the service responds with 202. The specification does not define
 * whether bulk operations can be aborted.
 */
export async function abortImport({ team, text: read, handle }: FaultyRequest) {
  const text = await read()
  const isAwaited = parseBody<BulkImportInput>(text).wait_for_completion === true
  if (!isAwaited) return handle({ text })
  const slowly = withSettings(team, slowImport)
  let id: string | undefined
  const around: Intervention['around'] = (run) => {
    const earlier = new Set(team.bulkOps.list().map((op) => op.id))
    const result = slowly(run)
    id = team.bulkOps.list().find((op) => !earlier.has(op.id))?.id
    return result
  }
  const result = await handle({ text, around })
  if (id && team.bulkOps.get(id)?.status === 'in_progress') team.bulkOps.abort(id)
  return result
}

const slowImport: Partial<Settings> = { importTimePerConnection: '1m' }

/** Changes settings until a request's handler first waits. Handlers read settings before their first wait. */
function withSettings(team: Team, settings: Partial<Settings>): <T>(run: () => T) => T {
  return (run) => {
    const { bookingOutcome, importTimePerConnection } = team.settings
    team.configure(settings)
    try {
      return run()
    } finally {
      team.configure({ bookingOutcome, importTimePerConnection })
    }
  }
}

/** Parses a body. Returns an empty object for an invalid body, which the service itself rejects. */
function parseBody<Body extends object>(text: string | undefined): Partial<Body> {
  try {
    // All fields are optional, and the service checks their types.
    const body: Partial<Body> = JSON.parse(text ?? '')
    return isObject(body) ? body : {}
  } catch {
    return {}
  }
}
