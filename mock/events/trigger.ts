import { familyOf } from '../../src/contract/values/event-types.ts'
import { MockError } from '../errors.ts'
import { type LabOrder, wireOrder } from '../state/records/orders.ts'
import { dateTime } from '../state/time.ts'
import type { World } from '../state/world.ts'
import { connectionEvent, dataEvent, type EventBody, eventProvider } from './bodies.ts'
import { isGenerated } from './chunk.ts'
import { generateSamples } from './time-series.ts'

/** Fields of an event that a test decides; those of `data` replace single fields of what is made up. */
export interface EventOverrides {
  user_id?: string
  data?: unknown
  [field: string]: unknown
}

/** What a trigger is about. */
interface Subject {
  type: string
  user_id: string
  /** The fields of `data` that are given; records they name are taken, not made up. */
  given: Record<string, unknown>
}

/**
 * The body of an event of any type: realistic where the type is known, and as given where it is not. What it refers to is
 * created; no other event is sent of that.
 */
export function triggered(type: string, overrides: EventOverrides, world: World): EventBody {
  if (typeof type !== 'string' || type === '') {
    throw new MockError('invalid_option', "Expected a type, such as 'daily.data.sleep.created'.")
  }
  if (!familyOf(type)) return { ...structuredClone(overrides), event_type: type }
  const { data } = overrides
  const given = isObject(data) ? data : {}
  const body = world.withoutEvents(() => {
    const user_id =
      overrides.user_id ?? world.users.list()[0]?.user_id ?? world.users.create().user_id
    if (!world.users.has(user_id)) world.users.create({ user_id })
    return bodyOf({ type, user_id, given }, world)
  })
  const merged = isObject(data) && isObject(body['data']) ? { ...body['data'], ...data } : data
  const decided = structuredClone({ ...overrides, ...(data === undefined ? {} : { data: merged }) })
  return { ...body, ...decided, event_type: type }
}

function bodyOf(subject: Subject, world: World): EventBody {
  const { type, user_id } = subject
  const [family = '', kind = ''] = type.split('.')
  if (family === 'daily' || family === 'historical') return dataOf(subject, world)
  if (type === 'provider.connection.created') {
    return connectionEvent(user_id, connectedProvider(subject, world), world)
  }
  const content =
    family === 'labtest' ? labContent(kind, subject, world) : providerContent(kind, subject, world)
  return { event_type: type, user_id, data: content }
}

/** The latest record that the seed gave the user; of a time series without data from the seed some are made up. */
function dataOf({ type, user_id, given }: Subject, world: World): EventBody {
  const [, , resource = ''] = type.split('.')
  const provider = dataProvider(resource, given, world)
  const about = { user_id, resource, provider }
  if (!isGenerated(resource)) {
    return dataEvent(type, { ...about, rows: generateSamples(about, world) }, world)
  }
  const latest = resource === 'profile' ? undefined : ([29, 30] as const)
  return dataEvent(type, { ...about, ...(latest ? { part: latest } : {}) }, world)
}

/** Providers whose data users have from the seed come first. */
const preferred = ['oura', 'garmin', 'withings', 'my_fitness_pal_v2', 'dexcom_v3']

/** The provider that a test names, else one that supports the resource. */
function dataProvider(
  resource: string,
  { source }: Record<string, unknown>,
  { providers }: World,
): string {
  const named = isObject(source) ? source['provider'] : undefined
  if (typeof named === 'string') return named
  const needed = resource === 'hypnogram' ? 'sleep_cycle' : resource
  const supports = (slug: string) => providers.get(slug)?.supported_resources?.includes(needed)
  const slugs = [...preferred, ...providers.list().map(({ slug }) => slug)]
  return slugs.find(supports) ?? 'oura'
}

/** The provider that a test names, else one of the user's; the user is connected to it from then on. */
function connectedProvider({ user_id, given }: Subject, { connections }: World): string {
  const { provider } = given
  const named = isObject(provider) ? provider['slug'] : undefined
  const slug =
    typeof named === 'string' ? named : (connections.list({ user_id })[0]?.provider ?? 'oura')
  if (!connections.has(user_id, slug)) connections.create({ user_id, provider: slug })
  return slug
}

/** What `provider.connection.error` and `provider.device.*` tell (content as presumed). */
function providerContent(kind: string, subject: Subject, world: World): object {
  const slug = connectedProvider(subject, world)
  const common = { user_id: subject.user_id, provider: eventProvider(slug, world) }
  if (kind !== 'device')
    return { ...common, error_type: 'token_refresh_failed', error_message: null }
  const id = world.random.fork(`device/${subject.user_id}/${slug}`).uuid()
  return {
    ...common,
    id,
    name: `${common.provider.name} device`,
    last_sync_at: dateTime(world.clock.moment),
  }
}

/** The order that a test names, else one of the user's, else a new one; likewise its appointment, or a critical result. */
function labContent(kind: string, subject: Subject, world: World): object {
  const { given, user_id } = subject
  if (kind === 'appointment') {
    const known = typeof given['id'] === 'string' ? world.appointments.get(given['id']) : undefined
    const latest = world.appointments.list({ user_id }).at(-1)
    return known ?? latest ?? world.appointments.create({ order_id: orderOf(subject, world).id })
  }
  const order = orderOf(subject, world)
  if (kind === 'order') return wireOrder(order, world)
  const completed = order.results ? order : world.orders.complete(order.id)
  const [critical] = wireOrder(completed, world).results ?? []
  return { order_id: order.id, user_id, results: critical ? [critical] : [] }
}

function orderOf({ given, user_id }: Subject, { orders }: World): LabOrder {
  const id = given['order_id'] ?? given['id']
  const known = typeof id === 'string' ? orders.get(id) : undefined
  return known ?? orders.list({ user_id }).at(-1) ?? orders.create({ user_id })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
