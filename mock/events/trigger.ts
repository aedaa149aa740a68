import type { OrderResult } from '../../src/contract/orders.ts'
import { familyOf } from '../../src/contract/values/event-types.ts'
import { isObject, lowerUuid } from '../../src/shared/narrow.ts'
import { MockError, messageOf } from '../errors.ts'
import { latestVersion } from '../living/arrivals/moments.ts'
import { isSampled } from '../living/devices/measure.ts'
import { itemsIn } from '../living/events/truth.ts'
import { isCritical } from '../living/labs/reference-ranges.ts'
import { checkUser } from '../state/check-options.ts'
import { dateTime, versionTime } from '../state/clock/time.ts'
import { canBeCritical } from '../state/collections/order-results.ts'
import { wireOrder } from '../state/collections/orders.ts'
import { wireTime } from '../state/health/health-time.ts'
import { checkFields, invalidOption, plainCopy } from '../state/plain.ts'
import type { LabOrder } from '../state/records/orders.ts'
import type { World } from '../state/world.ts'
import {
  connectionError,
  connectionEvent,
  dataEvent,
  type EventBody,
  eventProvider,
  noticeEvent,
} from './bodies.ts'
import { isGenerated } from './chunk.ts'
import { generateSamples } from './time-series.ts'
import { checkEventType } from './type-pattern.ts'

/** The event fields to set. Omitted fields are generated. */
export interface EventOverrides {
  /** The user's id. Default: the team's first user, or a new user. */
  user_id?: string
  /** The event's data. An object replaces only the generated fields that it contains. */
  data?: unknown
  [field: string]: unknown
}

/** Options for `team.trigger`. */
export interface TriggerOptions {
  /** Whether to accept a type unknown to this version of the package. Default: false. */
  unknown?: boolean
}

interface Subject {
  type: string
  user_id: string
  /**
   * The fields of `data` that the test set. Existing records that these fields refer to are used instead of new ones.
   */
  given: Record<string, unknown>
}

/**
 * Creates an event's body. For a known type, generates omitted fields and creates missing records that the event refers
 * to. These records cause no other events. For an unknown type, the body contains only the type and the given fields.
 *
 * @throws {MockError} `invalid_option` if the type, a field or an option is invalid, or if the type is unknown and the
 *   `unknown` option is not set; `unknown_record` if the team has no user with the `user_id`.
 */
export function makeEvent(
  type: string,
  overrides: EventOverrides,
  options: TriggerOptions,
  world: World,
): EventBody {
  if (typeof type !== 'string' || type === '') {
    throw invalidOption('the event type', "a string such as 'daily.data.sleep.created'", type)
  }
  if (!isObject(overrides)) throw invalidOption('the fields of the event', 'an object', overrides)
  checkJson(overrides)
  checkFields(options, ['unknown'], 'the options of trigger')
  if (!options.unknown) checkEventType(type)
  const fields = plainCopy(overrides, 'the fields of the event')
  const { data } = fields
  const userId = lowerUuid(fields.user_id)
  if (userId !== undefined) {
    checkUser(userId, world.users)
    fields.user_id = userId
  }
  if (!familyOf(type)) return { ...fields, event_type: type }
  const given = isObject(data) ? data : {}
  const body = world.withoutEvents(() => {
    const user_id =
      userId ?? world.users.list()[0]?.user_id ?? world.users.create({ living: false }).user_id
    return triggeredBody({ type, user_id, given }, world)
  })
  const merged = isObject(data) && isObject(body['data']) ? { ...body['data'], ...data } : data
  const decided = data === undefined ? {} : { data: merged }
  return { ...body, ...fields, ...decided, event_type: type }
}

function checkJson(overrides: EventOverrides): void {
  try {
    JSON.stringify(overrides)
  } catch (error) {
    const problem = `The fields of the event cannot be sent as JSON: ${messageOf(error)}.`
    throw new MockError('invalid_option', problem)
  }
}

function triggeredBody(subject: Subject, world: World): EventBody {
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

/**
 * Creates a data event with the latest generated record or samples, or with new samples if the resource is not
 * generated. If `historicalEvents` is `notice`, a historical event contains no records.
 */
function dataOf({ type, user_id, given }: Subject, world: World): EventBody {
  const [, , resource = ''] = type.split('.')
  const provider = dataProvider(resource, given, world)
  const about = { user_id, resource, provider }
  const isNotice = world.settings.historicalEvents === 'notice'
  if (isNotice && type.startsWith('historical.')) return noticeEvent(type, about, world)
  if (!isGenerated(resource)) {
    return dataEvent(type, { ...about, rows: generateSamples(about, world) }, world)
  }
  const body = dataEvent(type, { ...about, latest: isSampled(resource) ? 10 : 1 }, world)
  if (type.endsWith('.updated') && world.living.hasArrivals(user_id)) touch(body, user_id, world)
  return body
}

/** Sets `updated_at` to a time later than the `updated_at` of every record that has arrived for the user. */
function touch({ data }: EventBody, userId: string, { clock, living }: World): void {
  const { moment } = clock
  const versions = living.feedsOf(userId).map((feed) => latestVersion(feed, moment))
  const updated_at = wireTime(versionTime(moment, Math.max(...versions)))
  for (const item of isObject(data) ? itemsIn(data) : []) {
    if ('updated_at' in item) item['updated_at'] = updated_at
  }
}

/** The providers to try first, in this order. */
const preferred = ['oura', 'garmin', 'withings', 'my_fitness_pal_v2', 'dexcom_v3']

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

/** Returns the given provider, the user's first connected one, or Oura. Connects the user to it if necessary. */
function connectedProvider({ user_id, given }: Subject, { connections }: World): string {
  const { provider } = given
  const named = isObject(provider) ? provider['slug'] : provider
  const slug =
    typeof named === 'string' ? named : (connections.list({ user_id })[0]?.provider ?? 'oura')
  if (!connections.has(user_id, slug)) connections.create({ user_id, provider: slug })
  return slug
}

/** Returns the data of a device or connection error event. The fields are an assumption. */
function providerContent(kind: string, subject: Subject, world: World): object {
  const slug = connectedProvider(subject, world)
  if (kind !== 'device') return connectionError(subject.user_id, slug, world)
  const common = { user_id: subject.user_id, provider: eventProvider(slug, world) }
  const id = world.random.fork(`device/${subject.user_id}/${slug}`).uuid()
  return {
    ...common,
    id,
    name: `${common.provider.name} device`,
    last_sync_at: dateTime(world.clock.moment),
  }
}

/** Returns the data of a lab event, from the record that the test names, the user's latest record, or a new record. */
function labContent(kind: string, subject: Subject, world: World): object {
  const { given, user_id } = subject
  if (kind === 'appointment') {
    const known = typeof given['id'] === 'string' ? world.appointments.get(given['id']) : undefined
    const latest = world.appointments.list({ user_id }).at(-1)
    return known ?? latest ?? world.appointments.create({ order_id: orderOf(subject, world).id })
  }
  const order = orderOf(subject, world)
  if (kind === 'order') return wireOrder(order, world)
  const critical = canBeCritical(order, world.catalogue)
  const completed = order.results ? order : world.orders.complete(order.id, { critical })
  const results = criticalResults(completed, world)
  return { order_id: order.id, user_id, results }
}

/** Returns an order's critical results, or its first result if none is critical. */
function criticalResults(order: LabOrder, world: World): OrderResult[] {
  const results = wireOrder(order, world).results ?? []
  const critical = results.filter(isCritical)
  return critical.length > 0 ? critical : results.slice(0, 1)
}

function orderOf({ given, user_id }: Subject, { orders }: World): LabOrder {
  const id = given['order_id'] ?? given['id']
  const known = typeof id === 'string' ? orders.get(id) : undefined
  return known ?? orders.list({ user_id }).at(-1) ?? orders.create({ user_id })
}
