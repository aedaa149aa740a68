import { isObject } from '../../src/shared/narrow.ts'
import type { EmittedEvent } from '../events/outbox.ts'
import { itemsIn, keyOf, type SentRow, sentRows } from '../living/events/truth.ts'
import { runAtOnce } from '../shared/slices.ts'
import { toInstant } from '../shared/time-units.ts'
import type { Team } from '../team.ts'
import type { Difference, Found, StoredRow } from './differences.ts'
import { differentFields, keyOfInstant, keyOfStored, listRows } from './rows.ts'

/**
 * Compares the rows that a consumer stored with the rows that it should have stored. Returns the first difference in
 * event order, or undefined if there is none. Fields missing from a stored row are ignored, except in `source`.
 *
 * @param rows The rows of all users, each with `resource` and either the item's string `id`, or all of `user_id`,
 * `timestamp` and `source`.
 * @throws {MockError} `invalid_option` if the rows are not iterable, or if a row lacks the fields that identify it.
 * @example
 * console.log(explainDifference(team, [])?.message)
 */
export function explainDifference(team: Team, rows: Iterable<StoredRow>): Difference | undefined {
  const stored = listRows(rows)
  const { living, outbox } = team.state
  const expected = new Map<string, SentRow>()
  for (const userId of new Set([...living.userIds(), ...outbox.usersWithAddedData()])) {
    const added = outbox.listAddedData(userId)
    for (const sent of runAtOnce(sentRows(userId, undefined, team.state, added))) {
      expected.set(keyOfInstant(sent.row) ?? sent.key, sent)
    }
  }
  const first = findFirst(expected, stored)
  return first && describe(first, team, adviceFor(first, { team, stored, expected }))
}

function findFirst(
  expected: ReadonlyMap<string, SentRow>,
  rows: readonly StoredRow[],
): Found | undefined {
  const seen = new Set<string>()
  let first: Found | undefined
  const report = (found: Found | undefined) => {
    if (found && (!first || momentOf(found) < momentOf(first))) first = found
  }
  for (const stored of rows) {
    const key = keyOfStored(stored)
    const sent = expected.get(key)
    if (seen.has(key)) report({ kind: 'doubled', fields: [], stored, sent })
    else report(compare(stored, sent))
    seen.add(key)
  }
  for (const [key, sent] of expected) {
    if (!seen.has(key)) report({ kind: 'lost', fields: [], stored: undefined, sent })
  }
  return first
}

/** Returns the time at which a row was delivered. Returns infinity if no event delivered it, which sorts the row last. */
function momentOf({ sent }: Found): number {
  return sent?.at ?? Number.POSITIVE_INFINITY
}

function compare(stored: StoredRow, sent: SentRow | undefined): Found | undefined {
  if (!sent) return { kind: 'unknown', fields: [], stored, sent }
  const fields = differentFields(stored, sent.row)
  if (fields.length === 0) return undefined
  return { kind: isStale(stored, sent) ? 'stale' : 'different', fields, stored, sent }
}

/**
 * Returns whether the consumer stored an older version of a row. Compares `updated_at`. If either row lacks it, checks
 * whether the stored row equals the previous version.
 */
function isStale(stored: StoredRow, { row, before }: SentRow): boolean {
  const [known, latest] = [stored['updated_at'], row['updated_at']].map(toInstant)
  if (typeof known === 'string' && typeof latest === 'string') return known < latest
  const earlier = before()
  return earlier !== undefined && differentFields(stored, earlier).length === 0
}

const meanings = {
  lost: 'is missing',
  doubled: 'is stored twice',
  stale: 'is outdated',
  different: 'differs',
  unknown: 'is stored, but no event delivered it',
} as const satisfies Record<Difference['kind'], string>

function describe({ kind, fields, stored, sent }: Found, team: Team, advice: string): Difference {
  const event = sent && eventOf(sent, team)
  const resource = String((sent?.row ?? stored)?.['resource'])
  const names = fields.length > 0 ? ` (${fields.join(', ')})` : ''
  const number = event ? `event ${event.number}, ` : ''
  const origin = sent
    ? ` It arrived in ${sent.event_type} (${number}${new Date(sent.at).toISOString()}).`
    : ''
  const message = `A row of ${resource} ${meanings[kind]}${names}.${origin}${advice}`
  return { kind, resource, fields, expected: sent?.row, stored, event, message }
}

/** Returns the event that delivered a row, or undefined if the team no longer stores the event. */
function eventOf(
  { event_type, at, key, row }: SentRow,
  { events }: Team,
): EmittedEvent | undefined {
  return events.list().find((event) => {
    if (event.at.getTime() !== at || !isSameResource(event.event_type, event_type)) return false
    const { data } = event.body
    if (!isObject(data)) return false
    // A notice names only the provider whose rows it announces.
    if (typeof data['provider'] === 'string')
      return event.user_id === row.user_id && data['provider'] === row.source.provider
    return itemsIn(data).some((item) => keyOf({ ...rowOf(event), ...item }) === key)
  })
}

/**
 * Returns whether two event types have the same resource. A row of a historical pull can arrive in a chunk, which has a
 * different event type.
 */
function isSameResource(type: string, wanted: string): boolean {
  return type === wanted || type.split('.')[2] === wanted.split('.')[2]
}

function rowOf({ event_type, user_id, body }: EmittedEvent) {
  const source = isObject(body['data']) ? body['data']['source'] : undefined
  return { resource: event_type.split('.')[2], user_id, source }
}

interface Compared {
  readonly team: Team
  readonly stored: readonly StoredRow[]
  readonly expected: ReadonlyMap<string, SentRow>
}

/** Returns sentences with possible causes, each preceded by a space. */
export function adviceFor({ kind, sent }: Found, compared: Compared): string {
  const reasons = [
    ...(kind === 'lost' && sent ? lossReasons(sent, compared) : []),
    ...(kind === 'lost' || kind === 'stale' ? [pendingAdvice(compared.team)] : []),
  ]
  return reasons
    .filter(Boolean)
    .map((reason) => ` ${reason}`)
    .join('')
}

function lossReasons({ row }: SentRow, { stored, expected }: Compared): string[] {
  const isOfUser = (other: StoredRow) =>
    (other['user_id'] ?? expected.get(keyOfInstant(other) ?? '')?.row.user_id) === row.user_id
  if (!stored.some(isOfUser)) return ['No rows are stored for this user.']
  const unknown = stored.filter((other) => !expected.has(keyOfInstant(other) ?? ''))
  const isStored = (replaced: (other: StoredRow) => object) =>
    unknown.some((other) => keyOfInstant({ ...row, ...replaced(other) }) === keyOfInstant(other))
  if (row['timestamp'] === undefined) return []
  if (isStored(({ timestamp }) => ({ timestamp: toInstant(timestamp) }))) {
    return ['Some stored rows have times that no event delivered: check how you convert times.']
  }
  if (isStored(({ source }) => ({ source }))) {
    return [
      'A row with the same time but a different source is stored: check how you store sources.',
    ]
  }
  return []
}

function pendingAdvice({ webhooks }: Team): string {
  const waiting = webhooks.list().filter(({ isDisabled }) => !isDisabled)
  const count = waiting.reduce((sum, { pending }) => sum + pending, 0)
  if (count === 0) return ''
  const [deliveries, verb] = count === 1 ? ['delivery', 'is'] : ['deliveries', 'are']
  return `${count} ${deliveries} ${verb} still pending. Before you compare, delete the users to stop new data, and advance the clock by two days.`
}
