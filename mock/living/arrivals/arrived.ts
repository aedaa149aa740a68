import type { AggregateResource } from '../../../src/contract/values/columns.ts'
import { type Table, valueAt } from '../../query/table.ts'
import {
  type Device,
  type DeviceRecord,
  type DeviceSamples,
  selectSamples,
  sliceSamples,
} from '../devices/device-record.ts'
import { isFloating } from '../devices/offsets.ts'
import { isTable, recordTable } from '../history/record-table.ts'
import { type SourceSamples, seriesTable } from '../history/series-table.ts'
import { reportedRecords } from '../reports/records.ts'
import { reportedSeries } from '../reports/series.ts'
import type { Feed } from './feed.ts'
import { datesUntil, type Slot, slotsOf } from './slots.ts'
import { earlyVersion } from './versions.ts'

/** A record version that reached the service. */
interface ArrivedRecord {
  readonly record: DeviceRecord
  /** When the first version reached the service, as a Unix timestamp in milliseconds. */
  readonly firstAt: number
  /** The version's `updated_at`, later than that of any earlier version. */
  readonly updatedAt: number
}

/** A date's samples that reached the service together, from index `start` (inclusive) to index `end` (exclusive). */
export interface ArrivedSamples {
  readonly device: Device
  readonly samples: DeviceSamples
  readonly start: number
  readonly end: number
}

/** Returns a slot's record, or undefined if the slot belongs to a different feed. */
export function recordIn(feed: Feed, table: string, slot: Slot): ArrivedRecord | undefined {
  const device = feed.devices[slot.device]
  const record = device && reportedRecords(feed.person, device, table, slot.date)[slot.start]
  if (!record) return undefined
  const { firstAt, at, isEarly } = slot
  const early = isEarly ? earlyVersion(feed, record)?.values : {}
  const updatedAt = Math.max(at, feed.updatedFrom)
  return { record: { ...record, values: { ...record.values, ...early } }, firstAt, updatedAt }
}

export function samplesIn(feed: Feed, series: string, slot: Slot): ArrivedSamples | undefined {
  const device = feed.devices[slot.device]
  const samples = device && reportedSeries(feed.person, device, series, slot.date)
  return samples && { device, samples, start: slot.start, end: slot.end }
}

/** Returns the latest slot at or before `moment` for each record or range of samples. */
export function latestSlots(slots: readonly Slot[], moment: number): Slot[] {
  const latest = new Map<string, Slot>()
  for (const slot of slots) {
    if (slot.at <= moment) latest.set(`${slot.device}/${slot.start}`, slot)
  }
  return [...latest.values()]
}

/**
 * Returns the data that a user's feeds sent up to the given time: the latest version of each record, and each sample
 * once. Yields after each date.
 */
export function* arrivedTable(
  feeds: readonly Feed[],
  resource: string,
  moment: number,
): Generator<void, Table> {
  return isTable(resource)
    ? arrivedRecordTable(resource, yield* recordsUntil(feeds, resource, moment))
    : seriesTable(resource, yield* samplesUntil(feeds, resource, moment))
}

export function arrivedRecordTable(
  resource: AggregateResource,
  arrived: readonly ArrivedRecord[],
): Table {
  const byId = new Map(arrived.map((one) => [one.record.id, one]))
  const records = arrived.map(({ record }) => record)
  const table = recordTable(resource, records)
  const { id } = table.columns
  const moments = (name: 'firstAt' | 'updatedAt') =>
    Float64Array.from(
      table.time,
      (_, row) => byId.get(String(id && valueAt(id, row)))?.[name] ?? Number.NaN,
    )
  return { ...table, sentAt: { first: moments('firstAt'), latest: moments('updatedAt') } }
}

function* slotsUntil(feeds: readonly Feed[], resource: string, moment: number) {
  for (const feed of feeds) {
    for (const date of datesUntil(feed, resource, moment)) {
      const slots = latestSlots(slotsOf(feed, resource, date), moment)
      yield { feed, slots }
    }
  }
}

function* recordsUntil(
  feeds: readonly Feed[],
  table: string,
  moment: number,
): Generator<void, ArrivedRecord[]> {
  const latest = new Map<string, ArrivedRecord>()
  for (const { feed, slots } of slotsUntil(feeds, table, moment)) {
    for (const slot of slots) {
      const arrived = recordIn(feed, table, slot)
      if (arrived) latest.set(arrived.record.id, arrived)
    }
    yield
  }
  return [...latest.values()]
}

/**
 * Returns the samples grouped by date. Samples from a newer connection replace those with the same provider and time.
 */
function* samplesUntil(
  feeds: readonly Feed[],
  series: string,
  moment: number,
): Generator<void, SourceSamples[][]> {
  const replaced = new Map<string, Set<number>>()
  let all: SourceSamples[] = []
  for (const feed of feeds.toReversed()) {
    const { provider } = feed
    const ofFeed: SourceSamples[] = []
    for (const { slots } of slotsUntil([feed], series, moment)) {
      for (const slot of slots) ofFeed.push(...sliceOf(samplesIn(feed, series, slot)))
      yield
    }
    const times = replaced.get(provider) ?? new Set()
    const kept = times.size > 0 ? ofFeed.flatMap((one) => without(times, one)) : ofFeed
    all = [...kept, ...all]
    // Most users have one feed per provider, so skip collecting times that no older feed needs.
    if (!feeds.some((other) => other.provider === provider && other.number < feed.number)) continue
    replaced.set(provider, times)
    for (const { samples } of kept) for (const time of sentTimes(samples, provider)) times.add(time)
  }
  const days = Map.groupBy(all, ({ samples }) => samples.date)
  return [...days].sort(([one], [other]) => one - other).map(([, sources]) => sources)
}

function sliceOf(arrived: ArrivedSamples | undefined): SourceSamples[] {
  if (!arrived || arrived.start === arrived.end) return []
  const { device, samples, start, end } = arrived
  return [{ device, samples: sliceSamples(samples, start, end) }]
}

function without(times: ReadonlySet<number>, { device, samples }: SourceSamples): SourceSamples[] {
  const kept = [...sentTimes(samples, device.provider).entries()].flatMap(([index, time]) =>
    times.has(time) ? [] : [index],
  )
  return kept.length > 0 ? [{ device, samples: selectSamples(samples, kept) }] : []
}

/** Returns the sample times in the form used in events. Some providers send only local times, marked as UTC. */
export function sentTimes({ locals, moments }: DeviceSamples, provider: string): Float64Array {
  return isFloating(provider) ? locals : moments
}
