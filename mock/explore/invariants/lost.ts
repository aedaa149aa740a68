import { isObject } from '../../../src/contract/schema/object.ts'
import { invalidOption } from '../../state/plain.ts'
import type { StoredRecord, StoredRecords } from '../options.ts'
import { connectionKey } from '../run/baseline.ts'
import type { RunResult } from '../run/run.ts'
import { canonical } from './canonical.ts'
import type { Violation } from './names.ts'

/** The records of the service by the ids that `check` returns. */
type Records = Map<string, unknown>

const recordsOf: Record<keyof StoredRecords, (run: RunResult) => Records> = {
  orders: ({ team, before }) =>
    byId(
      team.orders.list().filter(({ id, status }) => !before.has(id) && !/cancelled/.test(status)),
    ),
  appointments: ({ team, before }) =>
    byId(
      team.appointments
        .list()
        .filter(({ id, status }) => !before.has(id) && status !== 'cancelled'),
    ),
  insurances: ({ team, before }) =>
    new Map(
      team.insurances
        .list()
        .filter(({ id }) => !before.has(id))
        .map(({ insurance }) => [insurance.member_id, insurance]),
    ),
  connections: ({ team, before }) =>
    new Map(
      team.connections
        .list()
        .map((connection): [string, unknown] => [connectionKey(connection), connection])
        .filter(([key]) => !before.has(key)),
    ),
  events: ({ team, before }) => byId(team.events.list().filter(({ id }) => !before.has(id))),
}

/** Returns a violation if the service and the program have different records. */
export function findLost(run: RunResult): Violation | undefined {
  for (const [name, stored] of Object.entries(run.checked.stored ?? {})) {
    const kind = name as keyof StoredRecords
    if (stored === undefined) continue
    checkStored(kind, stored)
    const records = recordsOf[kind](run)
    const message = compare(kind, records, stored)
    if (message) return { name: 'lost', message }
  }
  return undefined
}

/** @throws {MockError} `invalid_option` if the check returned something else than lists of records. */
function checkStored(kind: keyof StoredRecords, stored: unknown): void {
  const kinds = Object.keys(recordsOf)
  if (!kinds.includes(kind)) {
    const expected = `records named ${kinds.join(', ')}`
    throw invalidOption('stored in the result of check', expected, kind)
  }
  const isRecord = (record: unknown) =>
    typeof record === 'string' || (isObject(record) && typeof record['id'] === 'string')
  if (Array.isArray(stored) && stored.every(isRecord)) return
  throw invalidOption(`stored.${kind} in the result of check`, 'a list of ids or records', stored)
}

function compare(
  kind: string,
  records: Records,
  stored: readonly StoredRecord[],
): string | undefined {
  const ids = stored.map(idOf)
  const missing = [...records.keys()].filter((id) => !ids.includes(id)).length
  if (missing > 0)
    return `The service has ${missing} of the ${kind} that your program has not stored.`
  const unknown = ids.filter((id) => !records.has(id)).length
  if (unknown > 0)
    return `Your program has stored ${unknown} of the ${kind} that the service does not have.`
  if (new Set(ids).size < ids.length) return `Your program has stored one of the ${kind} twice.`
  const field = stored.map((record) => differentField(record, records)).find(Boolean)
  return (
    field && `Your program has stored another ${field} in one of the ${kind} than the service has.`
  )
}

/** Returns the name of a field of a stored record that the service has with another value. */
function differentField(record: StoredRecord, records: Records): string | undefined {
  const known = records.get(idOf(record))
  if (typeof record === 'string' || !isObject(known)) return undefined
  return Object.keys(record).find((name) => canonical(record[name]) !== canonical(known[name]))
}

function idOf(record: StoredRecord): string {
  return typeof record === 'string' ? record : record.id
}

function byId(records: readonly { id: string }[]): Records {
  return new Map(records.map((record) => [record.id, record]))
}
