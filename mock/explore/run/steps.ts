import { operationIds, operationTable } from '../../../src/contract/operations.ts'
import type { Effect } from '../../../src/contract/schema-tools/endpoint.ts'
import { isObject } from '../../../src/shared/narrow.ts'
import type { JournalEntry } from '../../http/journal/journal-entry.ts'
import type { FaultPoint, PlannedFault } from '../plan/plan.ts'

const stepKinds = ['request', 'delivery', 'clock', 'environment', 'crash', 'restart'] as const

export interface Step extends Omit<FaultPoint, 'kind'> {
  kind: (typeof stepKinds)[number]
  /** Milliseconds of virtual time since the start of the scenario. */
  at: number
  fault?: PlannedFault
  /** The request's journal entry, or undefined if the request did not reach the service. */
  entry?: JournalEntry
  /** Whether the program's main function had ended before this step. */
  isLate?: boolean
  /** Returns the program line that sent the request or added the receiver, such as `src/orders.ts:12`. */
  line?: () => string | undefined
  /** The ids of the users and records that the event concerns. */
  subjects?: readonly string[]
  /** The `webhook-id` of a delivered event. */
  event?: string
  /** The delivery attempt, starting at 1. */
  attempt?: number
  /** The result, such as `200` or `lost`. */
  result?: string
  isAcknowledged?: boolean
}

const effects: ReadonlyMap<string, Effect> = new Map(
  operationIds.map((id) => [id, operationTable[id].effect]),
)

/** Returns an operation's effect, or undefined if no operation has this name. */
export function effectOf({ name }: { name: string }): Effect | undefined {
  return effects.get(name)
}

const subjectFields = ['user_id', 'order_id', 'id', 'provider']

export function subjectsOf(body: unknown): string[] {
  if (!isObject(body)) return []
  const own = subjectFields.flatMap((name) => (typeof body[name] === 'string' ? [body[name]] : []))
  return [...own, ...(isObject(body['data']) ? subjectsOf(body['data']) : [])]
}

export function touchedBy({ entry, subjects = [] }: Step): readonly string[] {
  if (!entry) return subjects
  const { params, body } = entry.request
  return [...Object.values(params), ...subjectsOf(body), ...entry.changes.map(({ key }) => key)]
}

export class Steps {
  readonly #list: Step[] = []
  readonly #counts = new Map<string, number>()
  readonly #now: () => number
  readonly #start: number

  constructor(now: () => number) {
    this.#now = now
    this.#start = now()
  }

  list(): readonly Step[] {
    return this.#list
  }

  count(kind: FaultPoint['kind'], name: string): FaultPoint {
    const key = `${kind} ${name}`
    const nth = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, nth)
    return { kind, name, nth }
  }

  add(step: Omit<Step, 'at'>): Step {
    const added = { ...step, at: this.#now() - this.#start }
    this.#list.push(added)
    return added
  }
}
