import { isObject } from '../../../src/shared/narrow.ts'
import type { Team } from '../../team.ts'

/** The keys of the records that a team had before the scenario. */
export type Baseline = ReadonlySet<string>

export function baselineOf(team: Team): Baseline {
  const { orders, appointments, insurances, connections, bulkOps, events } = team
  return new Set([
    ...orders.list().map(({ id }) => id),
    ...appointments.list().map(({ id }) => id),
    ...insurances.list().map(({ id }) => id),
    ...connections.list().map(connectionKey),
    ...bulkOps.list().map(({ id }) => id),
    ...events.list().map(({ id }) => id),
  ])
}

/** Returns a connection's key, in the format that `check` returns. */
export function connectionKey(connection: { user_id: string; provider: string }): string {
  return `${connection.user_id}/${connection.provider}`
}

/** Returns the same string for equal JSON values. Ignores field order, and fields that are null or undefined. */
export function canonical(value: unknown): string {
  return JSON.stringify(sortFields(value)) ?? 'undefined'
}

function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields)
  if (!isObject(value)) return value
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined && inner !== null)
  const sorted = fields.sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(sorted.map(([name, inner]) => [name, sortFields(inner)]))
}
