import { memo } from '../../src/shared/memo.ts'
import { Fifo } from '../shared/lists.ts'
import { type Emission, userAt } from './emission.ts'
import type { EventBatch } from './event-batches.ts'

/** An index, by user, of the outbox batches whose data a test added or triggered. */
export class AddedData {
  readonly #byUser = new Map<string, Fifo<EventBatch>>()
  /** Batches that can contain events for several users. */
  #shared = new Fifo<EventBatch>()

  /** Ignores a batch without added or triggered data. */
  add(batch: EventBatch): void {
    const { emission } = batch
    if (emission.kind === 'connections') this.#shared.push(batch)
    const userId = userOf(emission)
    if (userId === undefined) return
    const known = this.#byUser.get(userId)
    if (known) known.push(batch)
    else this.#byUser.set(userId, new Fifo([batch]))
  }

  /** Removes a batch that the outbox dropped. The outbox drops the oldest batch first. */
  drop(batch: EventBatch | undefined): void {
    if (batch && batch === this.#shared.first) this.#shared.shift()
    const userId = batch && userOf(batch.emission)
    const known = userId === undefined ? undefined : this.#byUser.get(userId)
    if (userId === undefined || !known || known.first !== batch) return
    known.shift()
    if (known.length === 0) this.#byUser.delete(userId)
  }

  /** Returns the batches with a user's data, oldest first, and the indexes of the user's events in each batch. */
  of(userId: string): { batch: EventBatch; indexes: number[] }[] {
    const own = (this.#byUser.get(userId)?.list() ?? []).map((batch) => ({ batch, indexes: [0] }))
    const shared = this.#shared.list().flatMap((batch) => {
      const indexes = indexesOf(batch, userId)
      return indexes.length > 0 ? [{ batch, indexes }] : []
    })
    return [...own, ...shared].sort((one, other) => one.batch.first - other.batch.first)
  }
}

/** Returns the user whose data a single-event emission contains; undefined if it contains none. */
function userOf(emission: Emission): string | undefined {
  if (emission.kind === 'rows') return emission.chunk.user_id
  if (emission.kind !== 'event' || !/^(daily|historical)\./.test(emission.body.event_type))
    return undefined
  return userAt(emission, 0)
}

function indexesOf({ emission, count }: EventBatch, userId: string): number[] {
  if (emission.kind !== 'connections') return []
  const steps = count / emission.user_ids.length
  const users = usersIn(emission.user_ids).get(userId) ?? []
  return users.flatMap((user) => Array.from({ length: steps }, (_, step) => user * steps + step))
}

/** Maps each user id to its indexes in the list. */
const usersIn = memo((ids: readonly string[]): Map<string, number[]> => {
  return Map.groupBy(ids.keys(), (index) => ids[index] ?? '')
})
