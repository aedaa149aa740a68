import { suggestName } from '../../../src/contract/schema-tools/nearest.ts'
import type { Source } from '../../../src/contract/source.ts'
import { deprecations } from '../../../src/contract/values/deprecations.ts'
import { supportedResources } from '../../../src/contract/values/resources.ts'
import { isObject, lowerUuid, present } from '../../../src/shared/narrow.ts'
import { MockError } from '../../errors.ts'
import { dataEventType } from '../../events/bodies.ts'
import { resourceOfType } from '../../events/chunk.ts'
import type { EmissionPort } from '../../events/event-port.ts'
import type { EmittedEvent, Outbox } from '../../events/outbox.ts'
import { toInstant } from '../../shared/time-units.ts'
import { unknownRecord } from '../../state/collections/check-record.ts'
import { isSent, makeSource } from '../../state/collections/source.ts'
import { formatValue } from '../../state/plain.ts'
import { latestSlots } from '../arrivals/arrived.ts'
import type { Feed } from '../arrivals/feed.ts'
import { datesUntil, type Slot, slotsOf } from '../arrivals/slots.ts'
import { isOfSleep, resourcesOf } from '../arrivals/transmissions.ts'
import { itemsOf } from './arrival-bodies.ts'

/**
 * A row that a consumer should have stored: a summary, a sleep cycle or a sample. Its fields match the item in the
 * event's `data.data`.
 */
export interface TruthRow {
  /** The resource name used in event types, such as `workouts` or `heartrate`. */
  resource: string
  /** The id of the row's user. */
  user_id: string
  /** The data's source. */
  source: Source
  /** The item's fields. */
  [field: string]: unknown
}

/** A row with the type and time of the event that delivered it. */
export interface SentRow {
  readonly row: TruthRow
  /** The key that all versions of the row share. */
  readonly key: string
  readonly event_type: string
  /** The virtual time of the event, as a Unix timestamp in milliseconds. */
  readonly at: number
  /** Returns the version sent before this one, or undefined for a first version or added data. */
  readonly before: () => TruthRow | undefined
}

const resources: readonly string[] = [...supportedResources, 'hypnogram']

/**
 * Returns the latest version of each of a user's rows. Yields between rows so other tasks can run.
 *
 * @throws {MockError} `unknown_record` for an unknown user without sent data, or `invalid_option` for an unknown resource, because an
 * empty list could hide a mistake in a test.
 */
export function* truthOf(
  userId: string,
  resource: string | undefined,
  context: EmissionPort & { readonly outbox: Pick<Outbox, 'listAddedData'> },
): Generator<void, TruthRow[]> {
  const { user_id = lowerUuid(userId) } = context.users.get(userId) ?? {}
  const added = context.outbox.listAddedData(user_id)
  const sent = yield* sentRows(user_id, resource, context, added)
  const rows = sent.map(({ row }) => row)
  if (rows.length > 0) return rows
  const isKnown = context.users.get(userId) || context.living.hasLived(user_id) || added.length > 0
  if (!isKnown) throw unknownRecord(userId, 'users')
  if (resource === undefined || resources.includes(resource)) return rows
  throw new MockError(
    'invalid_option',
    `Unknown resource ${formatValue(resource)}. ${suggestName(String(resource), resources)}`,
  )
}

/**
 * Returns the latest version of each row sent for a user. Yields after each generated row.
 *
 * @param added The user's events from added data and from `trigger` calls.
 */
export function* sentRows(
  userId: string,
  resource: string | undefined,
  context: EmissionPort,
  added: readonly EmittedEvent[],
): Generator<void, SentRow[]> {
  const rows = new Map<string, SentRow>()
  const isWanted = (name: string) => resource === undefined || resource === name
  for (const sent of streamRows(userId, context, isWanted)) {
    if (!isNewer(rows.get(sent.key), sent)) rows.set(sent.key, sent)
    yield
  }
  for (const event of added) {
    for (const sent of eventRows(event, userId)) {
      if (isWanted(sent.row.resource) && !isNewer(rows.get(sent.key), sent)) {
        rows.set(sent.key, sent)
      }
    }
  }
  return [...rows.values()]
}

/**
 * Returns a row's key, or undefined if fields for the key are missing. A record's key contains its id. A sample's key
 * contains its user, source and timestamp.
 */
export function keyOf(row: Readonly<Record<string, unknown>>): string | undefined {
  const { resource, user_id, id, timestamp, source } = row
  if (typeof resource !== 'string') return undefined
  if (typeof id === 'string') return `${resource}/${id}`
  if (typeof user_id !== 'string' || typeof timestamp !== 'string' || !isObject(source)) {
    return undefined
  }
  return [resource, user_id, source['provider'], source['type'], timestamp].join('/')
}

/** Returns whether `known` is newer than `sent`. Compares `updated_at`, or the event times if `updated_at` is equal. */
function isNewer(known: SentRow | undefined, sent: SentRow): boolean {
  if (!known) return false
  const [before, after] = [known, sent].map(({ row }) => String(toInstant(row['updated_at']) ?? ''))
  return before === after ? known.at > sent.at : present(before) > present(after)
}

/** Yields a user's generated rows that have arrived. Excludes added data. */
export function* streamRows(
  userId: string,
  context: EmissionPort,
  isWanted: (resource: string) => boolean = () => true,
): Generator<SentRow> {
  for (const feed of context.living.allFeedsOf(userId)) {
    yield* arrivedRows(feed, isWanted, context)
  }
}

/** Yields rows date by date, because the cache contains only a few dates. */
function* arrivedRows(
  feed: Feed,
  isWanted: (resource: string) => boolean,
  context: EmissionPort,
): Generator<SentRow> {
  const { moment } = context.clock
  const wanted = resourcesOf(feed).filter((resource) => isWanted(resourceOfType(resource)))
  const dates = new Map(
    wanted.map((resource) => [resource, new Set(datesUntil(feed, tableOf(resource), moment))]),
  )
  const all = [...new Set([...dates.values()].flatMap((some) => [...some]))].sort((a, b) => a - b)
  for (const date of all) {
    for (const resource of wanted) {
      if (!dates.get(resource)?.has(date)) continue
      for (const slot of latestSlots(slotsOf(feed, tableOf(resource), date), moment)) {
        yield* slotRows(feed, resource, slot, context)
      }
    }
  }
}

function tableOf(resource: string): string {
  return isOfSleep(resource) ? 'sleep' : resource
}

function* slotRows(
  feed: Feed,
  resource: string,
  slot: Slot,
  context: EmissionPort,
): Generator<SentRow> {
  const { at, firstAt, isEarly } = slot
  const dated = contextAt(feed, at, context)
  if (isOfSleep(resource) && isEarly) return
  if (resource === 'hypnogram' && !isSent(deprecations.hypnogram, dated)) return
  const change = at === firstAt || isOfSleep(resource) ? 'created' : 'updated'
  const isNotice = at === feed.from && dated.settings.historicalEvents === 'notice'
  const event_type = dataEventType(
    isNotice ? 'historical' : 'daily',
    resourceOfType(resource),
    change,
  )
  const source = makeSource(feed.provider, feed.devices[slot.device]?.type ?? 'unknown', dated)
  const rowOf = (item: object): TruthRow => ({
    resource: resourceOfType(resource),
    user_id: feed.userId,
    source,
    ...item,
  })
  const before = () => {
    if (change === 'created') return undefined
    const first = { ...slot, at: firstAt, isEarly: true }
    const [item] = itemsOf(feed, resource, first, contextAt(feed, firstAt, context))
    return item && rowOf(item)
  }
  for (const item of itemsOf(feed, resource, slot, dated)) {
    const row = rowOf(item)
    yield { row, key: keyOf(row) ?? '', event_type, at, before }
  }
}

function contextAt(feed: Feed, at: number, context: EmissionPort): EmissionPort {
  const { deprecatedFields, historicalEvents } = context.living.formatAt(feed, at)
  const settings = { ...context.settings, deprecatedFields, historicalEvents }
  return { ...context, clock: { moment: at }, settings }
}

function eventRows({ event_type, body, at }: EmittedEvent, user_id: string): SentRow[] {
  const [span, , resource = ''] = event_type.split('.')
  const { data } = body
  if ((span !== 'daily' && span !== 'historical') || !isObject(data)) return []
  return itemsIn(data).flatMap((item) => {
    // Data events with rows always have a source.
    const row = { resource, user_id, source: data['source'] as Source, ...item }
    const key = keyOf(row)
    return key ? [{ row, key, event_type, at: at.getTime(), before: () => undefined }] : []
  })
}

/** Returns the items in a data event's `data`: the items of its list, or the record itself. */
export function itemsIn(data: Record<string, unknown>): Record<string, unknown>[] {
  return [Object.hasOwn(data, 'data') ? data['data'] : data].flat().filter(isObject)
}
