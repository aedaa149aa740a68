import { isObject, keysOf } from '../../../src/shared/narrow.ts'
import { invalidOption } from '../../state/plain.ts'
import type { Team } from '../../team.ts'
import type { StoredRecord, StoredRecords } from '../options.ts'
import { isUnspecified } from '../plan/delivery-faults.ts'
import type { RunResult } from '../run/run.ts'
import type { Violation } from './names.ts'
import { canonical, connectionKey } from './records.ts'

/** The service's records, each with the id that `check` returns and the record's key in the baseline. */
type Records = [id: string, key: string, record: unknown][]

const shownIds = 3

const recordsOf: Record<keyof StoredRecords, (team: Team) => Records> = {
  orders: ({ orders }) => byId(orders.list()),
  appointments: ({ appointments }) => byId(appointments.list()),
  insurances: ({ insurances }) =>
    insurances.list().map(({ id, insurance }) => [insurance.member_id, id, insurance]),
  connections: ({ connections }) =>
    connections.list().map((record) => [connectionKey(record), connectionKey(record), record]),
  events: ({ events }) => byId(events.list()),
}

export function findLost(run: RunResult): Violation | undefined {
  const { stored: all = {} } = run.checked
  const events = acknowledgedEvents(run)
  for (const kind of keysOf(all)) {
    const stored = all[kind]
    if (stored === undefined) continue
    checkStored(kind, stored)
    const isRequired = (key: string) =>
      !run.before.has(key) && (kind !== 'events' || events.has(key))
    const message = compare(kind, recordsOf[kind](run.team), stored, isRequired)
    if (message) return { name: 'lost', message }
  }
  return undefined
}

/** Returns the ids of acknowledged events. Omits events of unspecified types, which programs may ignore. */
function acknowledgedEvents({ steps }: RunResult): ReadonlySet<string> {
  const acknowledged = steps.filter((step) => step.isAcknowledged && !isUnspecified(step.name))
  return new Set(acknowledged.flatMap(({ event = [] }) => event))
}

function checkStored(kind: keyof StoredRecords, stored: unknown): void {
  const kinds = Object.keys(recordsOf)
  if (!kinds.includes(kind)) {
    const expected = `records named ${kinds.join(', ')}`
    throw invalidOption('stored in the result of check', expected, kind)
  }
  const isRecord = (record: unknown) =>
    typeof record === 'string' || (isObject(record) && typeof record['id'] === 'string')
  if (Array.isArray(stored) && stored.every(isRecord)) return
  throw invalidOption(
    `stored.${kind} in the result of check`,
    'a list of ids, or of records with an id',
    stored,
  )
}

/**
 * Describes the first difference between the service's and the stored records. Records that are not required, such as
 * those from before the scenario, may be missing from `stored`.
 */
function compare(
  kind: string,
  records: Records,
  stored: readonly StoredRecord[],
  isRequired: (key: string) => boolean,
): string | undefined {
  const known = new Map(records.map(([id, , record]) => [id, record]))
  const ids = stored.map(idOf)
  const required = records
    .filter(([, key, record]) => isRequired(key) && !isCancelled(record))
    .map(([id]) => id)
  const missing = required.filter((id) => !ids.includes(id))
  if (missing.length > 0)
    return `The service has ${kind} that your program has not stored: ${listIds(missing)}.`
  const unknown = stored.filter((record) => !isKnown(record, known)).map(idOf)
  if (unknown.length > 0)
    return `Your program has stored ${kind} that the service does not have: ${listIds(unknown)}.`
  const double = ids.find((id, at) => ids.indexOf(id) < at)
  if (double !== undefined) return `Your program has stored one of the ${kind} twice: ${double}.`
  for (const record of stored) {
    const field = differentField(record, known)
    if (field)
      return `Your program has stored a different ${field} than the service for one of the ${kind}: ${idOf(record)}.`
  }
  return undefined
}

/**
 * Returns whether the service has a stored record. A cancelled record must be stored with its status, because an id
 * alone means that the record is not cancelled.
 */
function isKnown(stored: StoredRecord, records: ReadonlyMap<string, unknown>): boolean {
  const id = idOf(stored)
  const hasStatus = typeof stored !== 'string' && stored['status'] !== undefined
  return records.has(id) && (hasStatus || !isCancelled(records.get(id)))
}

/** Returns whether a record is a cancelled order or appointment. Other records have no status. */
function isCancelled(record: unknown): boolean {
  return isObject(record) && /cancelled/.test(String(record['status']))
}

function listIds(ids: readonly string[]): string {
  const more = ids.length > shownIds ? ` and ${ids.length - shownIds} more` : ''
  return ids.slice(0, shownIds).join(', ') + more
}

function differentField(
  record: StoredRecord,
  records: ReadonlyMap<string, unknown>,
): string | undefined {
  const known = records.get(idOf(record))
  if (typeof record === 'string' || !isObject(known)) return undefined
  return Object.keys(record).find((name) => canonical(record[name]) !== canonical(known[name]))
}

function idOf(record: StoredRecord): string {
  return typeof record === 'string' ? record : record.id
}

function byId(records: readonly { id: string }[]): Records {
  return records.map((record) => [record.id, record.id, record])
}
