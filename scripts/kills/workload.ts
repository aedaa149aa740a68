import type { Team } from '../../mock/index.ts'
import type { DurableImportReport } from '../../src/durable/index.ts'
import type { StoredWrite } from '../../src/stores/index.ts'
import { insuranceBody, orderBody, recipe } from '../../test/support/bodies.ts'
import type { Wanted, WantedKind } from './task.ts'

/** The effects of a team's writes in the service, keyed by a value that identifies the write. */
interface Effects {
  orders: Map<string, number>
  appointments: Map<string, number>
  insurances: Map<string, number>
  /** The number of times that the service accepted a connection, keyed by user. */
  imported: Map<string, number>
}

export class Workload {
  readonly all: Wanted[] = []
  readonly #team: Team
  readonly #recipes: number
  readonly #imported = new Map<string, number>()

  /** @param recipes The number of recipes in one import. */
  constructor(team: Team, recipes: number) {
    this.#team = team
    this.#recipes = recipes
    team.override('link.bulkImport', (_, { body }) => {
      const { connections } = body as { connections: { user_id: string }[] }
      for (const { user_id } of connections) add(this.#imported, user_id)
      return {}
    })
  }

  add(kind: WantedKind): Wanted {
    const id = `${kind} ${this.all.length}`
    const wanted = this.#make(kind, id)
    this.all.push(wanted)
    return wanted
  }

  #make(kind: WantedKind, id: string): Wanted {
    const team = this.#team
    if (kind === 'order') {
      const order = orderBody(team.catalogue.labTests.list()[0]?.id ?? '')
      order.patient_address.access_notes = id
      return { kind, id, order }
    }
    if (kind === 'booking') return { kind, id, orderId: team.orders.create().id }
    if (kind === 'insurance') {
      const userId = team.users.create().user_id
      return { kind, id, userId, insurance: insuranceBody({ member_id: id }) }
    }
    const recipes = Array.from({ length: this.#recipes }, () => recipe(team.users.create().user_id))
    return { kind, id, recipes }
  }

  effects(): Effects {
    const count = (keys: unknown[]) => {
      const counts = new Map<string, number>()
      for (const key of keys) add(counts, String(key))
      return counts
    }
    const { orders, appointments, insurances } = this.#team
    return {
      orders: count(orders.list().map(({ patient_address }) => patient_address.access_notes)),
      appointments: count(appointments.list().map(({ order_id }) => order_id)),
      insurances: count(insurances.list().map(({ insurance }) => insurance.member_id)),
      imported: this.#imported,
    }
  }
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** Call this after all workers have ended. */
export function findProblem(
  wanted: Wanted,
  stored: StoredWrite | undefined,
  effects: Effects,
): string | undefined {
  if (stored?.state !== 'done' && stored?.state !== 'unresolved') {
    return `${wanted.id} has no outcome and is not unresolved: ${stored?.state ?? 'not stored'}`
  }
  for (const [key, count, mayBeMissing] of countsOf(wanted, stored, effects)) {
    if (count > 1) return `${wanted.id}: ${key} exists ${count} times`
    if (count === 0 && !mayBeMissing) return `${wanted.id}: ${key} is missing`
  }
  return undefined
}

/** Returns the number of times that each part of a write exists, and whether the part may be missing. */
function countsOf(
  wanted: Wanted,
  { state, outcome }: StoredWrite,
  effects: Effects,
): [key: string, count: number, mayBeMissing: boolean][] {
  const isOpen = state === 'unresolved'
  const one = (counts: Map<string, number>, key: string) => counts.get(key) ?? 0
  switch (wanted.kind) {
    case 'order':
      return [['the order', one(effects.orders, wanted.id), isOpen]]
    case 'booking':
      return [['the appointment', one(effects.appointments, wanted.orderId), isOpen]]
    case 'insurance':
      return [['the insurance', one(effects.insurances, wanted.id), isOpen]]
    case 'import': {
      // An unresolved import stores its report next to the cause.
      const stored = JSON.parse(outcome)
      const { ranges }: DurableImportReport = isOpen ? stored.result : stored
      const isUnknown = (at: number) =>
        ranges.unknown.some(([first, last]) => at >= first && (last === null || at <= last))
      return wanted.recipes.map(({ user_id }, at) => [
        `recipe ${at}`,
        one(effects.imported, user_id),
        isUnknown(at),
      ])
    }
  }
}
