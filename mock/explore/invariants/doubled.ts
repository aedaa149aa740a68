import type { RunResult } from '../run/run.ts'
import type { Step } from '../run/steps.ts'
import type { Violation } from './names.ts'
import { canonical } from './records.ts'

/** How many times each action took effect in the service, by kind and content. */
export type ActionCounts = ReadonlyMap<string, number>

/** Counts the uncancelled records that the scenario created, grouped by the properties that identify an action. */
export function countActions({ team, before }: RunResult): ActionCounts {
  const isNew = ({ id }: { id: string }) => !before.has(id)
  const orders = team.orders
    .list()
    .filter(isNew)
    .filter(({ status }) => !/cancelled/.test(status))
  const appointments = team.appointments.list().filter(isNew)
  const imports = team.bulkOps.list().filter(isNew)
  const actions = [
    ...orders.map(({ user_id, order_set }) => ['order', user_id, canonical(order_set)]),
    ...appointments
      .filter(({ status }) => status !== 'cancelled')
      .map(({ user_id }) => ['appointment', user_id]),
    ...team.insurances
      .list()
      .filter(isNew)
      .map(({ user_id, insurance }) => [
        'insurance',
        user_id,
        `${insurance.payor_code} ${insurance.member_id}`,
      ]),
    ...imports.flatMap(({ provider, user_ids_imported }) =>
      user_ids_imported.map((user) => ['import', provider, user]),
    ),
  ]
  const counts = new Map<string, number>()
  for (const action of actions) {
    const key = action.join(' ')
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

export function findDoubled(
  run: RunResult,
  clean: ActionCounts,
  isAllowed: (kind: string) => boolean,
): Violation | undefined {
  for (const [key, count] of countActions(run)) {
    const allowed = Math.max(1, clean.get(key) ?? 0)
    const [kind = ''] = key.split(' ')
    if (count <= allowed || isAllowed(kind)) continue
    return {
      name: 'doubled',
      step: lastCreation(run, kind),
      message: `The service has ${count} identical ${kind}s instead of ${allowed}: your program created the same ${kind} again.`,
    }
  }
  return undefined
}

const collections: Readonly<Record<string, string>> = {
  order: 'orders',
  appointment: 'appointments',
  insurance: 'insurances',
  import: 'bulkOps',
}

function lastCreation({ steps }: RunResult, kind: string): Step | undefined {
  return steps.findLast(({ entry }) =>
    entry?.changes.some(
      ({ action, collection }) => action === 'create' && collection === collections[kind],
    ),
  )
}
