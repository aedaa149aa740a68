import type { AggregateResource } from '../../../src/contract/values/columns.ts'
import { type Table, valueAt } from '../../query/table.ts'
import {
  type Device,
  type DeviceRecord,
  type DeviceSamples,
  sliceSamples,
} from '../devices/device-record.ts'
import { isTable, recordTable } from '../history/record-table.ts'
import { type SourceSamples, seriesTable } from '../history/series-table.ts'
import { reportedRecords } from '../reports/records.ts'
import { reportedSeries } from '../reports/series.ts'
import type { Feed } from './feed.ts'
import { datesUntil, type Slot, slotsOf } from './slots.ts'
import { earlyVersion } from './versions.ts'

/** A version of a record that reached the service. */
interface ArrivedRecord {
  /** The record with this version's values. */
  readonly record: DeviceRecord
  /** When the first version reached the service, as a Unix timestamp in milliseconds. */
  readonly firstAt: number
  /** When this version reached the service. */
  readonly at: number
}

/** A date's samples that reached the service together, from index `start`, inclusive, to index `end`, exclusive. */
export interface ArrivedSamples {
  readonly device: Device
  readonly samples: DeviceSamples
  readonly start: number
  readonly end: number
}

/** Returns a slot's record; undefined for a slot of a different feed. */
export function recordIn(feed: Feed, table: string, slot: Slot): ArrivedRecord | undefined {
  const device = feed.devices[slot.device]
  const record = device && reportedRecords(feed.person, device, table, slot.date)[slot.start]
  if (!record) return undefined
  const { firstAt, at, isEarly } = slot
  const early = isEarly ? earlyVersion(feed, record)?.values : {}
  return { record: { ...record, values: { ...record.values, ...early } }, firstAt, at }
}

/** Returns a slot's samples; undefined for a slot of a different feed. */
export function samplesIn(feed: Feed, series: string, slot: Slot): ArrivedSamples | undefined {
  const device = feed.devices[slot.device]
  const samples = device && reportedSeries(feed.person, device, series, slot.date)
  return samples && { device, samples, start: slot.start, end: slot.end }
}

/** Returns, for each record or range of samples, the latest slot that reached the service by `moment`, inclusive. */
export function latestSlots(slots: readonly Slot[], moment: number): Slot[] {
  const latest = new Map<string, Slot>()
  for (const slot of slots) {
    if (slot.at <= moment) latest.set(`${slot.device}/${slot.start}`, slot)
  }
  return [...latest.values()]
}

/**
 * Returns the data that a user's feeds sent up to a moment: the latest version of each record, and each sample once.
 * Yields after each date.
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
  const moments = (name: 'firstAt' | 'at') =>
    Float64Array.from(
      table.time,
      (_, row) => byId.get(String(id && valueAt(id, row)))?.[name] ?? Number.NaN,
    )
  return { ...table, sentAt: { first: moments('firstAt'), latest: moments('at') } }
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

/** Groups the samples by date. Skips samples that a new connection sends again. */
function* samplesUntil(
  feeds: readonly Feed[],
  series: string,
  moment: number,
): Generator<void, SourceSamples[][]> {
  const none = Number.NEGATIVE_INFINITY
  const brought = new Map<string, { feed: Feed; before: number; latest: number }>()
  const days = new Map<number, SourceSamples[]>()
  for (const { feed, slots } of slotsUntil(feeds, series, moment)) {
    for (const slot of slots) add(feed, samplesIn(feed, series, slot))
    yield
  }
  return [...days].sort(([one], [other]) => one - other).map(([, sources]) => sources)

  function add(feed: Feed, arrived: ArrivedSamples | undefined): void {
    if (!arrived) return
    const { device, samples, end } = arrived
    const known = brought.get(device.id) ?? { feed, before: none, latest: none }
    const before = known.feed === feed ? known.before : known.latest
    const latest = Math.max(known.latest, samples.moments[end - 1] ?? none)
    brought.set(device.id, { feed, before, latest })
    let { start } = arrived
    while (start < end && (samples.moments[start] ?? none) <= before) start += 1
    if (start === end) return
    const sources = days.get(samples.date) ?? []
    sources.push({ device, samples: sliceSamples(samples, start, end) })
    days.set(samples.date, sources)
  }
}
