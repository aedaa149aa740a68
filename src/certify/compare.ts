import { describeValue } from '../contract/schema-tools/describe-value.ts'
import { lowerUuid } from '../shared/narrow.ts'
import { expectThat, NotObservable } from './expectation.ts'
import type { EventMessage } from './message.ts'
import type { ProbedRecord, StoredState } from './probe.ts'

export type SentRecord = Readonly<Record<string, unknown>>

/**
 * Compares the strings, numbers and booleans that both a sent record and its stored record contain.
 *
 * @param field The field that the case tests. If the stored records lack it, the result cannot be determined.
 * @throws {ReceiverFailure} if a record is missing or different, or was stored more than once.
 */
export function compareRecords(
  records: readonly SentRecord[],
  stored: readonly ProbedRecord[],
  field?: string,
): void {
  const byId = Map.groupBy(stored, ({ id }) => lowerUuid(id))
  const pairs = records.map((sent) => {
    const { id } = sent
    return { sent, matches: id === undefined ? matchesOf(sent, stored) : (byId.get(id) ?? []) }
  })
  const found = pairs.filter(({ matches }) => matches.length > 0).length
  const single = "The receiver did not store the event's record."
  const several = `The receiver stored ${found} of ${records.length} records.`
  expectThat(found === records.length, records.length === 1 ? single : several)
  for (const { sent, matches } of pairs) compareRecord(sent, matches, field)
}

function compareRecord(sent: SentRecord, matches: readonly ProbedRecord[], field?: string): void {
  expectThat(
    matches.length === 1,
    `The receiver stored the event's record ${matches.length} times instead of once.`,
  )
  const [match = {}] = matches
  if (field !== undefined && match[field] === undefined) {
    throw new NotObservable(`the probe's records do not contain ${field}`)
  }
  for (const [name, value] of Object.entries(sent)) {
    if (match[name] === undefined || !isComparable(value)) continue
    expectThat(
      isSame(match[name], value),
      `Expected the stored record's ${name} to be ${describeValue(value)}, found ${describeValue(match[name])}.`,
    )
  }
}

/** Returns the stored records with the same id, or with the same timestamp and user if `sent` has no id. */
export function matchesOf(
  sent: SentRecord,
  stored: readonly ProbedRecord[],
): readonly ProbedRecord[] {
  if (sent['id'] !== undefined) return stored.filter(({ id }) => lowerUuid(id) === sent['id'])
  return stored.filter(
    ({ timestamp, user_id }) =>
      isSame(timestamp, sent['timestamp']) &&
      (user_id === undefined || lowerUuid(user_id) === sent['user_id']),
  )
}

/** Returns the names of the fields that are present in both records but differ. */
function wrongFields(sent: SentRecord, stored: ProbedRecord): string[] {
  const isDifferent = ([name, value]: [string, unknown]) =>
    stored[name] !== undefined && isComparable(value) && !isSame(stored[name], value)
  return Object.entries(sent)
    .filter(isDifferent)
    .map(([name]) => name)
}

function isComparable(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** Returns whether two values are equal. Times and UUIDs may differ in format, and numbers may be stored as strings. */
function isSame(found: unknown, expected: unknown): boolean {
  if (lowerUuid(found) === expected) return true
  if (typeof expected === 'number') return typeof found === 'string' && Number(found) === expected
  const [one, other] = [milliseconds(found), milliseconds(expected)]
  return one !== undefined && one === other
}

/** Returns a `Date` or date-time string as a Unix timestamp in milliseconds, or undefined for any other value. */
export function milliseconds(value: unknown): number | undefined {
  if (value instanceof Date) return value.getTime()
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d[T ]\d\d:/.test(value)) return undefined
  const moment = Date.parse(value)
  return Number.isNaN(moment) ? undefined : moment
}

/** @throws {ReceiverFailure} if a rejected message was handled or its records were stored. */
export function expectUnhandled(
  { id, body }: EventMessage,
  { records = [], handled = [] }: StoredState,
): void {
  expectThat(!handled.includes(id), 'The receiver handled a message that it had rejected.')
  const sent = recordsOf(body).flatMap((record) => matchesOf(record, records))
  expectThat(sent.length === 0, 'The receiver stored a record from a message that it had rejected.')
}

/** Returns a body's records. The body is not validated, because certify created it. */
export function recordsOf(body: string): SentRecord[] {
  if (body === '') return []
  const event: { data?: { data?: SentRecord[] } } = JSON.parse(body)
  return event.data?.data ?? []
}

interface Difference {
  kind: keyof typeof meanings
  resource: string
  fields: readonly string[]
}

const meanings = {
  lost: 'is missing',
  doubled: 'is stored twice',
  stale: 'is outdated',
  different: 'differs',
} as const

/**
 * Compares the stored records with the expected ones. Ignores a resource if none of its expected records is stored.
 *
 * @throws {ReceiverFailure} if a record differs, is missing or is stored twice.
 * @throws {NotObservable} if no expected id is stored.
 */
export function compareWithTruth(
  truth: readonly SentRecord[],
  stored: readonly ProbedRecord[],
): void {
  const byId = Map.groupBy(stored, ({ id }) => lowerUuid(id))
  const matches = (record: SentRecord) => byId.get(record['id']) ?? []
  const seen = new Set(
    truth.filter((record) => matches(record).length > 0).map(({ resource }) => resource),
  )
  if (seen.size === 0) {
    throw new NotObservable("no id in the probe's records matches the living user's records")
  }
  const differences = truth
    .filter(({ resource }) => seen.has(resource))
    .flatMap((record) => differenceOf(record, matches(record)) ?? [])
  expectThat(differences.length === 0, describeAll(differences))
}

function differenceOf(
  record: SentRecord,
  [match, ...others]: readonly ProbedRecord[],
): Difference | undefined {
  const resource = String(record['resource'])
  if (!match) return { kind: 'lost', resource, fields: [] }
  if (others.length > 0) return { kind: 'doubled', resource, fields: [] }
  const fields = wrongFields(record, match)
  if (fields.length === 0) return undefined
  return { kind: isStale(record, match) ? 'stale' : 'different', resource, fields }
}

/** Returns whether the stored record is an older version, judging by `updated_at` or a night's state. */
function isStale(record: SentRecord, stored: ProbedRecord): boolean {
  const [latest, found] = [record, stored].map(({ updated_at }) => Date.parse(String(updated_at)))
  const isOlder = found !== undefined && latest !== undefined && found < latest
  return isOlder || (stored['state'] === 'tentative' && record['state'] === 'confirmed')
}

function describeAll(differences: readonly Difference[]): string {
  const [first] = differences
  if (!first) return ''
  const { kind, resource, fields } = first
  const names = fields.length > 0 ? ` (${fields.join(', ')})` : ''
  const others = differences.length - 1
  const more =
    others > 0 ? `, and ${others} more ${others === 1 ? 'row differs' : 'rows differ'}` : ''
  return `The stored rows differ from team.truth: one ${resource} row ${meanings[kind]}${names}${more}.`
}
