import { MockError } from '../errors.ts'
import type { EmittedEvent } from '../events/outbox.ts'
import { Slices } from '../shared/slices.ts'
import { collectionsOf } from '../state/collections/collections.ts'
import type { BulkImportOp } from '../state/records/bulk-ops.ts'
import { definitions } from '../state/records/definitions.ts'
import type { CollectionName } from '../state/records/paths.ts'
import { type KeyParts, keyPartsOf } from '../state/records/record-key.ts'
import type { Team } from '../team.ts'
import { describeDueEvents } from './agenda.ts'
import type { Handlers } from './handler.ts'
import { historyHandlers } from './handlers/history.ts'
import { journalHandlers } from './handlers/journal.ts'
import { readsHandlers } from './handlers/search.ts'
import { teamHandlers } from './handlers/team.ts'
import type { collections } from './operations/collections.ts'
import type { ControlOperations } from './operations.ts'
import { byOperation } from './routes.ts'

/** The estimated time to create an event without its body, in microseconds. */
const eventWork = 10

export const controlHandlers: Handlers<Omit<ControlOperations, 'teams.list'>> = {
  ...collectionHandlers(),
  ...historyHandlers,
  ...journalHandlers,
  ...readsHandlers,
  ...teamHandlers,
  'clock.get': readClock,
  'clock.agenda': (team, { query }) => describeDueEvents(team, query.first),
  'clock.update': (team, { body }) => {
    team.clock.mode = body.mode
    return readClock(team)
  },
  'clock.advance': async (team, { body }) => {
    await team.clock.advance(body.by)
    return readClock(team)
  },
  'clock.advanceTo': async (team, { body }) => {
    await team.clock.advanceTo(body.to)
    return readClock(team)
  },
  'clock.runToNext': async (team) => ({ event: (await team.clock.runToNext()) ?? null }),
  'clock.whenWaiting': async (team, { body }) => {
    await team.clock.whenWaiting(body.requests)
    return readClock(team)
  },
  'events.list': async ({ state }, { query: { type, after = 0, first } }) => {
    const { count } = state.outbox
    const events: EmittedEvent[] = []
    const slices = new Slices(state.clock.interruption)
    for (const event of state.outbox.eachAfter(after, type)) {
      if (events.length === first) break
      events.push(event)
      const pause = slices.spend(eventWork)
      if (pause) await pause
    }
    return { count, events }
  },
  'events.trigger': (team, { body: { event_type, overrides, ...options } }) =>
    team.trigger(event_type, overrides, options),
  'events.clear': ({ events }) => events.clear(),
  'faults.list': ({ faults }) => faults.list(),
  'faults.add': ({ faults }, { body }) => faults.add(body),
  'faults.remove': ({ faults }, { params }) => {
    const fault = faults.list().find(({ id }) => String(id) === params.id)
    fault?.remove()
    return { deleted: fault !== undefined }
  },
  'faults.clear': ({ faults }) => faults.clear(),
  'bookings.next': ({ bookings }, { body }) => bookings.next(body),
  'bookings.key': ({ bookings }, { body: { expires_in } }) => ({
    booking_key: bookings.key(expires_in === undefined ? {} : { expiresIn: expires_in }),
  }),
  'bulkOps.list': ({ bulkOps }) => bulkOps.list(),
  'bulkOps.summaries': ({ bulkOps }) => bulkOps.list().map(summarizeBulkOp),
  'bulkOps.get': ({ bulkOps }, { params }) => {
    const found = bulkOps.get(params.id)
    if (!found)
      throw new MockError(
        'unknown_record',
        'No bulk import has this id. Use an id from bulkOps.list().',
      )
    return found
  },
  'bulkOps.abort': ({ bulkOps }, { params }) => bulkOps.abort(params.id),
  'orders.complete': ({ orders }, { params, body }) =>
    orders.complete(params.id, { critical: body?.critical === true }),
  'appointments.transition': ({ appointments }, { params, body }) =>
    appointments.transition(params.id, body.status, body.changes),
  'webhooks.list': ({ webhooks }) => webhooks.list().map(stateOf),
  'webhooks.add': ({ webhooks }, { body }) => stateOf(webhooks.add(body)),
  'webhooks.remove': ({ webhooks }, { params }) => ({ deleted: webhooks.remove(params.id) }),
  'webhooks.deliveries': (team, { params }) => findWebhook(team, params.id).deliveries(),
  'webhooks.exchanges': (team, { params }) => findWebhook(team, params.id).exchanges(),
  'webhooks.planned': (team, { params, query }) =>
    findWebhook(team, params.id).planned().slice(0, query.first),
  'webhooks.enable': (team, { params }) => {
    const webhook = findWebhook(team, params.id)
    webhook.enable()
    return stateOf(webhook)
  },
  'webhooks.deadLetters': (team, { params }) => findWebhook(team, params.id).deadLetters(),
  'webhooks.redeliver': (team, { params, body }) =>
    findWebhook(team, params.id).redeliver(body.message),
  'webhooks.idle': ({ webhooks }) => webhooks.idle(),
}

function readClock({ clock }: Team) {
  return { now: clock.now(), mode: clock.mode, pending: clock.pending() }
}

function summarizeBulkOp({ user_ids_imported, user_ids_failed, ...facts }: BulkImportOp) {
  return { ...facts, imported: user_ids_imported.length, failed: user_ids_failed.length }
}

type FoundWebhook = NonNullable<ReturnType<Team['webhooks']['get']>>

function findWebhook({ webhooks }: Team, id: string): FoundWebhook {
  const webhook = webhooks.get(id)
  if (!webhook)
    throw new MockError(
      'unknown_record',
      `No webhook has the id '${id}'. Use an id from webhooks.list().`,
    )
  return webhook
}

function stateOf({ id, url, secret, types, pending, isDisabled }: FoundWebhook) {
  return { id, url, secret, types, pending, isDisabled }
}

interface AnyRequest {
  params: Record<string, string>
  query: { last?: number }
  body: Record<string, unknown>
}

function collectionHandlers(): Handlers<typeof collections> {
  // Each operation uses its collection's schemas, so the types of its handler match.
  return byOperation<unknown>(handlersOf) as unknown as Handlers<typeof collections>
}

function handlersOf(name: CollectionName) {
  const keyOf = (params: Record<string, string>): KeyParts => keyPartsOf(name, params)
  const of = (team: Team) => collectionsOf(team.state)[name]
  return {
    // If `last` is 0, `slice` returns all records.
    list: (team: Team, { query: { last = 0, ...where } }: AnyRequest) =>
      of(team).list(where).slice(-last),
    create: (team: Team, { body }: AnyRequest) => of(team).create(body),
    get: (team: Team, { params }: AnyRequest) => {
      const found = of(team).get(...keyOf(params))
      const { noun } = definitions[name]
      if (!found)
        throw new MockError('unknown_record', `No ${noun} has this key. Use a key from the list.`)
      return found
    },
    update: (team: Team, { params, body }: AnyRequest) => of(team).update(...keyOf(params), body),
    delete: (team: Team, { params }: AnyRequest) => ({
      deleted: of(team).delete(...keyOf(params)),
    }),
  }
}
