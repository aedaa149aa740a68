import type { Method } from '../../src/contract/schema-tools/endpoint.ts'
import {
  type CollectionName,
  collectionNames,
  paramsIn,
  recordPaths,
} from '../state/records/paths.ts'

/** The control API's routes, except the five that each collection has. */
const ownRoutes = {
  pulse: 'GET /pulse',
  'settings.get': 'GET /settings',
  'settings.update': 'PATCH /settings',
  signIn: 'POST /sign_in',
  truth: 'GET /users/{user_id}/truth',
  snapshot: 'GET /snapshot',
  restore: 'PUT /snapshot',
  seed: 'POST /seed',
  reset: 'POST /reset',
  reproduction: 'GET /reproduction',
  'clock.get': 'GET /clock',
  'clock.agenda': 'GET /clock/agenda',
  'clock.update': 'PATCH /clock',
  'clock.advance': 'POST /clock/advance',
  'clock.advanceTo': 'POST /clock/advance_to',
  'clock.runToNext': 'POST /clock/run_to_next',
  'clock.whenWaiting': 'POST /clock/when_waiting',
  'faults.list': 'GET /faults',
  'faults.add': 'POST /faults',
  'faults.remove': 'DELETE /faults/{id}',
  'faults.clear': 'DELETE /faults',
  'bookings.next': 'POST /bookings/next',
  'bookings.key': 'POST /bookings/key',
  'journal.requests': 'GET /journal',
  'journal.summaries': 'GET /journal/summaries',
  'journal.get': 'GET /journal/{number}',
  'journal.lines': 'GET /journal/lines',
  'journal.har': 'GET /journal/har',
  'journal.clear': 'DELETE /journal',
  'bulkOps.list': 'GET /bulk_ops',
  'bulkOps.summaries': 'GET /bulk_ops/summaries',
  'bulkOps.get': 'GET /bulk_ops/{id}',
  'bulkOps.abort': 'POST /bulk_ops/{id}/abort',
  'orders.complete': 'POST /orders/{id}/complete',
  'appointments.transition': 'POST /appointments/{id}/transition',
  'events.list': 'GET /events',
  'events.trigger': 'POST /events',
  'events.clear': 'DELETE /events',
  'webhooks.list': 'GET /webhooks',
  'webhooks.add': 'POST /webhooks',
  'webhooks.remove': 'DELETE /webhooks/{id}',
  'webhooks.deliveries': 'GET /webhooks/{id}/deliveries',
  'webhooks.exchanges': 'GET /webhooks/{id}/exchanges',
  'webhooks.planned': 'GET /webhooks/{id}/planned',
  'webhooks.enable': 'POST /webhooks/{id}/enable',
  'webhooks.deadLetters': 'GET /webhooks/{id}/dead_letters',
  'webhooks.redeliver': 'POST /webhooks/{id}/redeliver',
  'webhooks.idle': 'POST /webhooks/idle',
  'history.start': 'POST /history',
  'history.list': 'GET /history',
  'history.stop': 'DELETE /history',
  'history.get': 'GET /history/{number}',
  'history.records': 'GET /history/{number}/records',
  'history.snapshot': 'GET /history/{number}/snapshot',
  'history.reproduction': 'GET /history/{number}/reproduction',
  'history.fork': 'POST /history/{number}/fork',
  search: 'GET /search',
  'users.aggregate': 'POST /users/{user_id}/aggregate',
  'teams.list': 'GET /teams',
} as const

type BeforeKey<Path> = Path extends `${infer Start}/{${string}` ? Start : never
type Dotted<Path> = Path extends `/${infer First}/${infer Second}`
  ? `${First}.${Second}`
  : Path extends `/${infer Only}`
    ? Only
    : never

type CollectionPath<Name extends CollectionName> = BeforeKey<(typeof recordPaths)[Name]>
export type CollectionId<Name extends CollectionName = CollectionName> = Dotted<
  CollectionPath<Name>
>

/** Returns a collection's path, such as `/users` or `/catalogue/lab_tests`. */
export function collectionPath<Name extends CollectionName>(name: Name): CollectionPath<Name> {
  // A record's path ends with the parts of its key.
  return recordPaths[name].replace(/\/\{.*/, '') as CollectionPath<Name>
}

/** Returns the prefix of a collection's operation ids, such as `users` or `catalogue.lab_tests`. */
export function collectionId<Name extends CollectionName>(name: Name): CollectionId<Name> {
  return collectionPath(name).slice(1).replace('/', '.') as CollectionId<Name>
}

function collectionRoutes<Name extends CollectionName>(name: Name) {
  const record = recordPaths[name]
  const path = collectionPath(name)
  return {
    list: `GET ${path}`,
    create: `POST ${path}`,
    get: `GET ${record}`,
    update: `PATCH ${record}`,
    delete: `DELETE ${record}`,
  } as const
}

type RoutesOf<Name extends CollectionName> = ReturnType<typeof collectionRoutes<Name>>

export type CollectionAction = keyof RoutesOf<CollectionName>

export type CollectionOperation = {
  [Name in CollectionName]: {
    [Action in CollectionAction]: {
      id: `${CollectionId<Name>}.${Action}`
      name: Name
      action: Action
    }
  }[CollectionAction]
}[CollectionName]

export function byOperation<Value>(
  valuesOf: (name: CollectionName) => Record<CollectionAction, Value>,
): Record<CollectionOperation['id'], Value> {
  const entries = collectionNames.flatMap((name) =>
    Object.entries(valuesOf(name)).map(([action, value]) => [
      `${collectionId(name)}.${action}`,
      value,
    ]),
  )
  return Object.fromEntries(entries)
}

type Routes = typeof ownRoutes & {
  [Operation in CollectionOperation as Operation['id']]: RoutesOf<
    Operation['name']
  >[Operation['action']]
}

export type ControlId = keyof Routes

type ParamIn<Route> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamIn<Rest>
  : never

export type ParamName<Id extends ControlId> = ParamIn<Routes[Id]>

const routes: Record<ControlId, string> = { ...ownRoutes, ...byOperation(collectionRoutes) }

export function routeOf(id: ControlId): { method: Method; path: string } {
  const [method, path = ''] = routes[id].split(' ')
  // Every route begins with a method.
  return { method: method as Method, path }
}

export function paramNames(id: ControlId): string[] {
  return paramsIn(routeOf(id).path)
}

export interface RequestAddress {
  params?: Record<string, string | number>
  query?: Record<string, unknown>
}

/** Returns an operation's path and query string. Query parameters that are undefined are omitted. */
export function addressOf(id: ControlId, { params = {}, query = {} }: RequestAddress): string {
  const path = routeOf(id).path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return given.length > 0 ? `${path}?${search}` : path
}
