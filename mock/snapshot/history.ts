import { keysOf } from '../../src/shared/narrow.ts'
import { MockError } from '../errors.ts'
import { batchLimit, hasAddedData } from '../events/added-data.ts'
import type { EventBatch } from '../events/event-batches.ts'
import { Fifo } from '../shared/lists.ts'
import { dateTime } from '../state/clock/time.ts'
import type { Change } from '../state/collections/collection.ts'
import { collectionsOf } from '../state/collections/collections.ts'
import type { PointCause, Recorder } from '../state/recorder.ts'
import type { CollectionName } from '../state/records/paths.ts'
import type { TeamState } from '../state/team-state.ts'
import {
  applyChanges,
  copyLayer,
  type HistoryPoint,
  type HistoryPointDetail,
  type RecordLayer,
  recordLayerOf,
  type StoredPoint,
  smallStateOf,
  snapshotOfLayer,
} from './history-point.ts'
import type { Reproduction } from './reproduction.ts'
import { type Snapshot, snapshotFormat, snapshotVersion } from './snapshot.ts'

const pointLimit = 1000
/** The maximum number of changes in all points together. It prevents large imports from exhausting memory. */
const changeLimit = 100_000

/**
 * A team's history. Records are replaced, never modified, so a point stores the changes since the previous point and
 * shares the records with the team. Only the first point, and points after a restore or reset, store all records.
 */
export class History implements Recorder {
  readonly #world: TeamState
  readonly #seeded: ReadonlySet<CollectionName>
  readonly #points = new Fifo<StoredPoint>()
  #changes: Change[] = []
  #changeCount = 0
  #count = 0

  constructor(world: TeamState) {
    this.#world = world
    const collections = collectionsOf(world)
    this.#seeded = new Set(keysOf(collections).filter((name) => collections[name].isSeeded))
    this.#add({ kind: 'start', title: 'start' }, true)
  }

  /** The number of points, including dropped ones. */
  get count(): number {
    return this.#count
  }

  addChange(change: Change): void {
    this.#changes.push(change)
  }

  addPoint(cause: PointCause): void {
    this.#add(cause, false)
  }

  rebase(title: string): void {
    this.#add({ kind: 'restore', title }, true)
  }

  /** Returns the stored points, oldest first. */
  points(): HistoryPoint[] {
    return this.#points.list().map(summarizePoint)
  }

  /** @throws {MockError} `unknown_record` for an unknown or dropped point. */
  get(number: number): HistoryPointDetail {
    const stored = this.#pointAt(number)
    const layers = [...this.#layersAt(stored).records]
    const records = layers.map(([name, layer]) => [name, recordsOf(layer).length])
    return {
      point: summarizePoint(stored),
      changes: stored.changes,
      records: Object.fromEntries(records),
    }
  }

  /**
   * Returns a collection's records at a point, except unchanged seeded records.
   *
   * @throws {MockError} `unknown_record` for an unknown or dropped point.
   */
  recordsAt(number: number, collection: CollectionName): object[] {
    return recordsOf(this.#layersAt(this.#pointAt(number)).records.get(collection))
  }

  /**
   * Returns the team's state at a point, without webhooks. Do not change the records, because the team uses the same
   * objects.
   *
   * @throws {MockError} `unknown_record` for an unknown or dropped point.
   */
  stateAt(number: number): Omit<Reproduction, 'apiKey'> {
    const point = this.#pointAt(number)
    const { moment, settings, faults, latestFault, ...small } = point.small
    const { firstBatch, ...outbox } = point.outbox
    const { records, batches } = this.#layersAt(point)
    const isStored = ({ first }: EventBatch) => first >= firstBatch
    const added = batches.filter((batch) => !isStored(batch) && hasAddedData(batch))
    const snapshot: Snapshot = {
      format: snapshotFormat,
      version: snapshotVersion,
      ...small,
      now: dateTime(moment),
      timeZone: settings.timeZone,
      records: snapshotOfLayer(records),
      outbox: {
        ...outbox,
        batches: batches.filter(isStored),
        ...(added.length > 0 ? { added } : {}),
      },
      webhooks: [],
    }
    return { settings, faults, latestFault, snapshot }
  }

  #add(cause: PointCause, isBase: boolean): void {
    const before = this.#points.at(this.#points.length - 1)
    const small = smallStateOf(this.#world, before?.small)
    const { batches: stored, added = [], ...outbox } = this.#world.outbox.snapshot()
    const batches = [...added, ...stored]
    const seen = before?.outbox.count ?? 0
    this.#count += 1
    this.#points.push({
      number: this.#count,
      cause,
      small,
      changes: this.#changes,
      outbox: { ...outbox, firstBatch: stored[0]?.first ?? outbox.count + 1 },
      batches: batches.slice(batches.findLastIndex(({ first }) => first <= seen) + 1),
      ...(isBase ? { base: { records: recordLayerOf(this.#world), batches } } : {}),
    })
    this.#changeCount += this.#changes.length
    this.#changes = []
    while (this.#points.length > pointLimit || this.#hasTooManyChanges()) this.#dropFirst()
  }

  #hasTooManyChanges(): boolean {
    return this.#changeCount > changeLimit && this.#points.length > 1
  }

  /** Drops the first point. The next point then stores all records. */
  #dropFirst(): void {
    const dropped = this.#points.shift()
    const next = this.#points.first
    if (!dropped?.base || !next) return
    this.#changeCount -= dropped.changes.length
    if (next.base) return
    const { records, batches } = dropped.base
    applyChanges(records, next.changes, this.#seeded)
    next.base = { records, batches: laterBatches([...batches, ...next.batches], next) }
  }

  /**
   * Returns the records and events at a point. Starts with the latest `base` at or before the point, and applies the later
   * changes.
   */
  #layersAt(point: StoredPoint): { records: RecordLayer; batches: EventBatch[] } {
    const first = this.#points.first?.number ?? 0
    const points = this.#points.list().slice(0, point.number - first + 1)
    const index = points.findLastIndex(({ base }) => base)
    const { records, batches } = points[index]?.base ?? { records: new Map(), batches: [] }
    const later = points.slice(index + 1)
    const layer = copyLayer(records)
    for (const { changes } of later) applyChanges(layer, changes, this.#seeded)
    return { records: layer, batches: [...batches, ...later.flatMap(({ batches }) => batches)] }
  }

  #pointAt(number: number): StoredPoint {
    const point = this.#points.at(number - (this.#points.first?.number ?? 0))
    if (point) return point
    throw new MockError(
      'unknown_record',
      `The history has no point ${number}. The oldest points are dropped. Use a number from the list of points.`,
    )
  }
}

/** Returns a collection's records, without the marks for deleted seeded records. */
function recordsOf(records: ReadonlyMap<string, object | null> = new Map()): object[] {
  return [...records.values()].filter((record) => record !== null)
}

/** Returns the batches that are still stored at a point, and the dropped ones with added data. */
function laterBatches(batches: EventBatch[], { outbox }: StoredPoint): EventBatch[] {
  const added = batches.filter(hasAddedData)
  const firstAdded = added.at(-batchLimit)?.first ?? 0
  return batches.filter(
    (batch) =>
      batch.first >= outbox.firstBatch || (batch.first >= firstAdded && hasAddedData(batch)),
  )
}

function summarizePoint({ number, cause, small, changes, outbox }: StoredPoint): HistoryPoint {
  const at = dateTime(small.moment)
  return { number, at, ...cause, changes: changes.length, latestEvent: outbox.count }
}
