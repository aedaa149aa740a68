import { memo } from '../../src/shared/memo.ts'
import { Fifo, firstIndex } from '../shared/lists.ts'
import { type Emission, userAt } from './emission.ts'
import type { EventBatch } from './event-batches.ts'

/** The maximum number of batches to keep. The limit prevents triggered events from exhausting memory. */
export const batchLimit = 100_000

/**
 * The batches with health data that does not arrive over time: data that a test added or triggered, and the data of new
 * connections. The batches are kept even after the outbox has dropped their events.
 */
export class AddedData {
  readonly #all = new Fifo<EventBatch>()
  readonly #byUser = new Map<string, Fifo<EventBatch>>()
  /** Batches with events for several users. */
  readonly #shared = new Fifo<EventBatch>()

  /** The number of the first event in the kept batches, or infinity if there are none. */
  get first(): number {
    return this.#all.first?.first ?? Number.POSITIVE_INFINITY
  }

  add(batch: EventBatch): void {
    if (!hasAddedData(batch)) return
    this.#all.push(batch)
    const userId = userOf(batch.emission)
    const known = userId === undefined ? this.#shared : this.#byUser.get(userId)
    if (known) known.push(batch)
    else if (userId !== undefined) this.#byUser.set(userId, new Fifo([batch]))
    if (this.#all.length > batchLimit) this.#dropFirst()
  }

  before(number: number): EventBatch[] {
    const end = firstIndex(this.#all.length, (index) => (this.#all.at(index)?.first ?? 0) >= number)
    return this.#all.list().slice(0, end)
  }

  userIds(): Set<string> {
    const shared = this.#shared.list().flatMap(({ emission }) => usersOf(emission))
    return new Set([...this.#byUser.keys(), ...shared])
  }

  /** Returns the batches with a user's data, oldest first, and the indexes of the user's events in each batch. */
  of(userId: string): { batch: EventBatch; indexes: number[] }[] {
    const own = this.#byUser.get(userId)?.list() ?? []
    return [...own, ...this.#shared.list()]
      .map((batch) => ({ batch, indexes: indexesOf(batch, userId) }))
      .filter(({ indexes }) => indexes.length > 0)
      .sort((one, other) => one.batch.first - other.batch.first)
  }

  #dropFirst(): void {
    const batch = this.#all.shift()
    const userId = batch && userOf(batch.emission)
    const known = userId === undefined ? this.#shared : this.#byUser.get(userId)
    known?.shift()
    if (userId !== undefined && known?.length === 0) this.#byUser.delete(userId)
  }
}

/** Returns whether a batch belongs in {@link AddedData}. */
export function hasAddedData({ emission }: EventBatch): boolean {
  if (emission.kind !== 'event') return emission.kind !== 'arrival'
  return /^(daily|historical)\./.test(emission.body.event_type) && userAt(emission, 0) !== undefined
}

/** Returns the user of an emission's events, or undefined if the emission has several users. */
function userOf(emission: Emission): string | undefined {
  return usersOf(emission).length > 1 ? undefined : userAt(emission, 0)
}

function usersOf(emission: Emission): readonly string[] {
  return emission.kind === 'connections' ? emission.user_ids : []
}

function indexesOf({ emission, count }: EventBatch, userId: string): number[] {
  if (emission.kind !== 'connections') return [0]
  const steps = count / emission.user_ids.length
  const users = usersIn(emission.user_ids).get(userId) ?? []
  return users.flatMap((user) => Array.from({ length: steps }, (_, step) => user * steps + step))
}

const usersIn = memo((ids: readonly string[]): Map<string, number[]> => {
  return Map.groupBy(ids.keys(), (index) => ids[index] ?? '')
})
