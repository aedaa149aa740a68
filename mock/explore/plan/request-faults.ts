import { operationIds, operationTable } from '../../../src/contract/operations.ts'
import type { Effect } from '../../../src/contract/schema-tools/endpoint.ts'
import { headers } from '../../../src/contract/wire.ts'
import type { ExchangeResult } from '../../faults/effects.ts'
import type { DueEffect } from '../../faults/faults.ts'
import { ServiceResponse, serializeResponse } from '../../http/response.ts'
import type { Team } from '../../team.ts'
import { type FaultFacts, nameFaults } from './plan.ts'
import type { FaultyRequest } from './slow-work.ts'
import { abortImport, bookingTimeout, importSlowly, nextBooking } from './slow-work.ts'

export interface RequestFault extends FaultFacts {
  /** The fault's rank for each operation effect, starting at 1. The fault is not tested for effects without a rank. */
  ranks: Partial<Record<Effect, number>>
  /** The operations that the fault applies to. Default: all operations whose effect has a rank. */
  operations?: readonly string[]
  /** The number of consecutive requests that the fault affects. Default: 1. */
  length?: number
  apply(request: FaultyRequest): Promise<ExchangeResult>
}

const minute = 60_000

/**
 * The delay of a stalled response in milliseconds: longer than the client's default deadline, but shorter than the
 * default booking timeout.
 */
const stall = 10 * minute

const booking = ['orders.bookPhlebotomyAppointment']

/** The operations on one user, whose id is in the path or, for `orders.create`, in the body. */
const ofUsers = operationIds.filter(
  (id) => operationTable[id].path.includes('{user_id}') || id === 'orders.create',
)

/** The request faults. The specification rules out none of them. */
export const requestFaults = nameFaults<RequestFault>({
  lose_response: {
    ranks: { 'non-idempotent': 1, idempotent: 3, 'read-only': 5 },
    text: 'the service handles it, and the response is lost',
    apply: withFault('lose_response'),
  },
  error_after: {
    ranks: { 'non-idempotent': 1, idempotent: 3, 'read-only': 6 },
    text: 'the service handles it, but responds with 500',
    apply: respondAfterwards(500),
  },
  error_before: {
    ranks: { 'non-idempotent': 2, idempotent: 2, 'read-only': 3 },
    text: 'the service responds with 500 without handling it',
    apply: withFault({ status: 500 }),
  },
  crash_after: {
    ranks: { 'non-idempotent': 2, idempotent: 3, 'read-only': 4 },
    text: 'the service handles it, and your program crashes before the response arrives',
    apply: async ({ handle, crash }) => {
      await handle()
      return crash()
    },
  },
  crash_before: {
    ranks: { 'non-idempotent': 2, idempotent: 3, 'read-only': 4 },
    text: 'your program crashes just before it sends the request',
    apply: ({ crash }) => crash(),
  },
  outage: {
    ranks: { 'non-idempotent': 3, idempotent: 2, 'read-only': 2 },
    length: 6,
    text: 'this and the next five requests for the operation fail with 503 and have no effect',
    apply: withFault({ status: 503 }),
  },
  rate_limited: {
    ranks: { 'non-idempotent': 3, idempotent: 4, 'read-only': 4 },
    text: 'the service rejects it with 429 and Retry-After',
    apply: withFault({ status: 429, retryAfter: '2s' }),
  },
  conflict: {
    ranks: { 'non-idempotent': 3 },
    text: 'the service rejects it with 409',
    apply: withFault({ status: 409 }),
  },
  pending: {
    ranks: { 'non-idempotent': 2 },
    operations: booking,
    text: 'the booking is confirmed after five minutes',
    apply: nextBooking(() => ({ outcome: 'confirm', after: '5m' })),
  },
  never_confirmed: {
    ranks: { 'non-idempotent': 2 },
    operations: booking,
    text: 'the booking is never confirmed',
    apply: nextBooking(() => ({ outcome: 'never' })),
  },
  confirmed_late: {
    ranks: { 'non-idempotent': 3 },
    operations: booking,
    text: 'the booking is confirmed one second before it would time out',
    apply: nextBooking((body, { settings }) => ({
      outcome: 'confirm',
      after: bookingTimeout(body, settings) - 1000,
    })),
  },
  still_running: {
    ranks: { 'non-idempotent': 2 },
    operations: ['link.bulkImport'],
    text: 'the import takes longer than the service waits, so the response is 202',
    apply: importSlowly,
  },
  aborted: {
    ranks: { 'non-idempotent': 3 },
    operations: ['link.bulkImport'],
    text: 'the import takes longer than the service waits, so the response is 202; then the import is aborted',
    apply: abortImport,
  },
  not_visible: {
    ranks: { 'read-only': 3 },
    operations: ['orders.getPhlebotomyAppointment'],
    text: 'the appointment is not visible yet, so the response is 404',
    apply: withFault({ status: 404 }),
  },
  cut_before_response: {
    ranks: { 'non-idempotent': 4, idempotent: 5, 'read-only': 6 },
    text: 'the connection closes before the service handles it',
    apply: withFault('cut_before_response'),
  },
  cut_mid_body: {
    ranks: { 'non-idempotent': 4, idempotent: 5, 'read-only': 5 },
    text: 'the service handles it, and the connection breaks in the middle of the response',
    apply: withFault('cut_mid_body'),
  },
  refuse_connection: {
    ranks: { 'non-idempotent': 4, idempotent: 5, 'read-only': 6 },
    text: 'the connection is refused',
    apply: withFault('refuse_connection'),
  },
  unavailable: {
    ranks: { 'non-idempotent': 4, idempotent: 5, 'read-only': 6 },
    text: 'the service rejects it with 503 and Retry-After',
    apply: withFault({ status: 503, retryAfter: '2s' }),
  },
  stall_after: {
    ranks: { 'non-idempotent': 3, idempotent: 5, 'read-only': 6 },
    text: 'the service handles it, and the response arrives ten minutes later',
    apply: async ({ handle, wait }) => {
      const result = await handle()
      await wait(stall)
      return result
    },
  },
  stall_before: {
    ranks: { 'non-idempotent': 4, idempotent: 5, 'read-only': 5 },
    text: 'the service waits for ten minutes, and then handles it unless your program has given up',
    apply: withFault({ latency: stall }),
  },
  slow: {
    ranks: { 'non-idempotent': 5, idempotent: 6, 'read-only': 6 },
    text: 'the response takes five seconds',
    apply: withFault({ latency: '5s' }),
  },
  unknown_values: {
    judgement: 'tolerance',
    ranks: { 'non-idempotent': 4, idempotent: 4, 'read-only': 3 },
    text: 'enumerations in the response contain values that are not in the specification',
    apply: withFault({ drift: 'unknown_values' }),
  },
  extra_fields: {
    judgement: 'tolerance',
    ranks: { 'non-idempotent': 6, idempotent: 6, 'read-only': 6 },
    text: 'objects in the response contain fields that are not in the specification',
    apply: withFault({ drift: 'extra_fields' }),
  },
  user_deleted: {
    isEnvironment: true,
    judgement: 'rules',
    ranks: { 'non-idempotent': 4, idempotent: 4, 'read-only': 4 },
    operations: ofUsers,
    text: 'the user is deleted just before the request',
    apply: afterDeletion((team, user) => team.users.delete(user)),
  },
  connections_deleted: {
    isEnvironment: true,
    judgement: 'rules',
    ranks: { idempotent: 4, 'read-only': 4 },
    operations: ['link.deleteConnection', 'aggregate.query', 'summaries.list'],
    text: "the user's connections are deleted just before the request",
    apply: afterDeletion(({ connections }, user_id) => {
      for (const { provider } of connections.list({ user_id }))
        connections.delete(user_id, provider)
    }),
  },
  connects_again: {
    isEnvironment: true,
    judgement: 'tolerance',
    ranks: { idempotent: 3 },
    operations: ['link.deleteConnection'],
    text: "the user's mobile SDK reconnects the provider just after the request",
    apply: async ({ team, path, handle }) => {
      const deleted = team.connections
        .list()
        .find(({ user_id, provider }) => path.endsWith(`/${user_id}/${provider}`))
      const result = await handle()
      if (deleted && !team.connections.get(deleted.user_id, deleted.provider)) {
        team.connections.create({ user_id: deleted.user_id, provider: deleted.provider })
      }
      return result
    },
  },
})

/** Deletes the request's user, or the user's connections, before the service handles the request. */
function afterDeletion(remove: (team: Team, user: string) => void): RequestFault['apply'] {
  return async ({ team, path, text: read, handle }) => {
    const text = await read()
    const user = team.users.list().find(({ user_id }) => `${path} ${text}`.includes(user_id))
    if (user) {
      team.configure({ autoCreateUsers: false })
      remove(team, user.user_id)
    }
    return handle({ text })
  }
}

export function withFault(effect: DueEffect): RequestFault['apply'] {
  return ({ handle }) => handle({ effects: [effect] })
}

/** Replaces a success response with an error response. Other results are unchanged. */
function respondAfterwards(status: number): RequestFault['apply'] {
  return async ({ handle }) => {
    const result = await handle()
    if (result.kind !== 'response' || result.status >= 400) return result
    const detail = `Status ${status}, injected after the request took effect`
    const requestId = result.headers[headers.requestId] ?? ''
    return serializeResponse(new ServiceResponse(status, { detail }), requestId)
  }
}
