import type { Json, Mutant } from '../mutant.ts'
import { appointment, booking } from '../mutants/targets.ts'

/** A booking as a wrapper of the mock saw it; times in milliseconds. */
interface Booked {
  order: string
  /** The service's time of the call, without the time that calls took. */
  at: number
  /** What the request said. */
  isAsync: boolean
  timeout?: number
  window?: number
  notes?: string
  /** The status of the response, or `failed`. */
  first: string
  reads: number
}

interface Seen {
  own: Booked
  all: readonly Booked[]
  now: number
  /** What the mock says. */
  status: string
}

/** Returns other statuses than the mock when appointments are read. */
function reads(
  name: string,
  statusOf: (seen: Seen) => string | undefined,
  rule = '4.8/rule-3',
): Mutant {
  const clock = { now: 0 }
  return {
    rule,
    name,
    only: ['3.1', '4.8', '8'],
    between: (fetch) => {
      const all: Booked[] = []
      clock.now = 0
      return async (input, init = {}) => {
        const line = `${init.method} ${new URL(String(input)).pathname}`
        const response = await fetch(input, init)
        const order = line.split('/')[3] ?? ''
        if (booking.test(line)) {
          const body = response.ok ? JSON.parse(String(init.body)) : {}
          const first = response.ok ? (await response.clone().json()).status : 'failed'
          all.push({
            order,
            at: clock.now,
            first,
            reads: 0,
            isAsync: body.async_confirmation === true,
            timeout: body.async_confirmation_timeout_millisecond ?? undefined,
            window: body.sync_confirmation_timeout_millisecond ?? undefined,
            notes: body.appointment_notes,
          })
        }
        const own = all.findLast((one) => one.order === order)
        if (!appointment.test(line) || !own || !response.ok) return response
        const body: Json = await response.json()
        own.reads += 1
        const status = statusOf({ own, all, now: clock.now, status: body.status }) ?? body.status
        return Response.json({ ...body, status })
      }
    },
    setup: (setup) => ({
      ...setup,
      advance: async (milliseconds) => {
        await setup.advance?.(milliseconds)
        clock.now += milliseconds
      },
    }),
  }
}

const minutes = 60_000
const quarter = 15 * minutes
const limitOf = ({ timeout = quarter }: Booked) => timeout
const isPending = ({ first }: Booked) => first === 'pending'
const pendingOf = ({ all }: Seen) => all.filter(isPending)
const later = ({ own, all }: Seen) => all.slice(all.indexOf(own) + 1)
const earlier = ({ own, all }: Seen) => all.slice(0, all.indexOf(own))

/** What a pending appointment shows when another limit, from another time, applies to it. */
function limited(seen: Seen, limit: number, from = seen.own.at): string | undefined {
  if (!isPending(seen.own) || seen.status === 'confirmed') return undefined
  return seen.now - from >= limit ? 'cancelled' : 'pending'
}

/** The limits of bookings, and time that passes after each kind of booking (specification 4.8). */
export const bookings: Mutant[] = [
  reads(
    'cancels synchronous bookings after their async timeout',
    ({ own, now }) =>
      !own.isAsync && own.timeout && now - own.at >= own.timeout ? 'cancelled' : undefined,
    '4.8/rule-4',
  ),
  reads(
    'cancels synchronous bookings after 15 minutes',
    ({ own, now }) => (!own.isAsync && now - own.at >= quarter ? 'cancelled' : undefined),
    '4.8/rule-4',
  ),
  reads(
    'cancels synchronous bookings after two days',
    ({ own, now }) => (!own.isAsync && now - own.at >= 2880 * minutes ? 'cancelled' : undefined),
    '4.8/rule-4',
  ),
  reads('cancels bookings that were confirmed in time after 15 minutes', ({ own, now }) =>
    own.isAsync && own.first === 'confirmed' && now - own.at >= quarter ? 'cancelled' : undefined,
  ),
  reads('cancels bookings that were confirmed in time after two days', ({ own, now }) =>
    own.isAsync && own.first === 'confirmed' && now - own.at >= 2880 * minutes
      ? 'cancelled'
      : undefined,
  ),
  reads(
    'cancels bookings that were confirmed in the background after two days',
    ({ own, now, status }) =>
      isPending(own) && status === 'confirmed' && now - own.at >= 2880 * minutes
        ? 'cancelled'
        : undefined,
  ),
  reads(
    'cancels bookings that were confirmed in the background after their timeout',
    ({ own, now, status }) =>
      isPending(own) && status === 'confirmed' && now - own.at >= limitOf(own)
        ? 'cancelled'
        : undefined,
  ),
  reads(
    'turns synchronous bookings into pending ones when time passes',
    ({ own, now }) => (!own.isAsync && now > own.at ? 'pending' : undefined),
    '4.8/rule-1',
  ),
  reads('confirms cancelled appointments after an hour', ({ own, now, status }) =>
    status === 'cancelled' && now - own.at >= 60 * minutes ? 'confirmed' : undefined,
  ),
  reads('makes cancelled appointments pending again after a day', ({ own, now, status }) =>
    status === 'cancelled' && now - own.at >= 1440 * minutes ? 'pending' : undefined,
  ),
  reads('applies the shortest async timeout to all pending appointments', (seen) =>
    limited(seen, Math.min(...pendingOf(seen).map(limitOf))),
  ),
  reads('applies the longest async timeout to all pending appointments', (seen) =>
    limited(seen, Math.max(...pendingOf(seen).map(limitOf))),
  ),
  reads('applies the latest async timeout to all pending appointments', (seen) =>
    limited(seen, limitOf(pendingOf(seen).at(-1) ?? seen.own)),
  ),
  reads('applies the async timeout of the booking before', (seen) =>
    limited(seen, limitOf(earlier(seen).findLast(isPending) ?? seen.own)),
  ),
  reads('applies the async timeout of a later synchronous booking', (seen) =>
    limited(
      seen,
      later(seen).find(({ isAsync, timeout }) => !isAsync && timeout)?.timeout ?? limitOf(seen.own),
    ),
  ),
  reads('applies the async timeout of an earlier synchronous booking', (seen) =>
    limited(
      seen,
      earlier(seen).findLast(({ isAsync, timeout }) => !isAsync && timeout)?.timeout ??
        limitOf(seen.own),
    ),
  ),
  reads('restarts a pending appointment with the next pending one', (seen) =>
    limited(seen, limitOf(seen.own), later(seen).findLast(isPending)?.at),
  ),
  reads('restarts a pending appointment with every later booking', (seen) =>
    limited(seen, limitOf(seen.own), later(seen).at(-1)?.at),
  ),
  reads('restarts a pending appointment with a later synchronous booking', (seen) =>
    limited(seen, limitOf(seen.own), later(seen).findLast(({ isAsync }) => !isAsync)?.at),
  ),
  reads('restarts a pending appointment with a later failed booking', (seen) =>
    limited(seen, limitOf(seen.own), later(seen).findLast(({ first }) => first === 'failed')?.at),
  ),
  reads('begins to count when a pending appointment is first read', (seen) =>
    seen.own.reads === 1 ? 'pending' : undefined,
  ),
  reads('cancels a pending appointment with the next booking', (seen) =>
    isPending(seen.own) && later(seen).length > 0 ? 'cancelled' : undefined,
  ),
  reads('cancels a pending appointment with the next pending one', (seen) =>
    isPending(seen.own) && later(seen).some(isPending) ? 'cancelled' : undefined,
  ),
  reads('cancels a pending appointment with a later failure', (seen) =>
    isPending(seen.own) && later(seen).some(({ first }) => first === 'failed')
      ? 'cancelled'
      : undefined,
  ),
  reads('confirms a pending appointment with a later confirmed booking', (seen) =>
    isPending(seen.own) && later(seen).some(({ first }) => first === 'confirmed')
      ? 'confirmed'
      : undefined,
  ),
  reads('confirms a pending appointment with a later synchronous booking', (seen) =>
    isPending(seen.own) &&
    later(seen).some(({ isAsync, first }) => !isAsync && first === 'confirmed')
      ? 'confirmed'
      : undefined,
  ),
  reads('ignores the async timeout when there are notes', (seen) =>
    seen.own.notes ? limited(seen, quarter) : undefined,
  ),
  reads('ignores the async timeout when there is a sync timeout', (seen) =>
    seen.own.window ? limited(seen, quarter) : undefined,
  ),
  reads('ignores the async timeout when there is no sync timeout', (seen) =>
    seen.own.window ? undefined : limited(seen, quarter),
  ),
  reads('adds the sync timeout ten times to the async timeout', (seen) =>
    limited(seen, limitOf(seen.own) + 10 * (seen.own.window ?? 2500)),
  ),
]
