import type { Team } from '../../team.ts'

/** The keys of the records that a team had before the scenario. */
export type Baseline = ReadonlySet<string>

/** Returns the keys of the records of a team. */
export function recordsOf(team: Team): Baseline {
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

/** Returns the key of a connection, as `check` returns it. */
export function connectionKey(connection: { user_id: string; provider: string }): string {
  return `${connection.user_id}/${connection.provider}`
}
