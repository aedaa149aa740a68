import type { Device, DeviceRecord, DeviceSamples } from '../devices/device-record.ts'
import { recordsOf } from '../devices/records.ts'
import { seriesOf } from '../devices/series.ts'
import type { Feed } from './feed.ts'
import { type Slot, slotsUntil } from './slots.ts'
import { earlyVersion } from './versions.ts'

/** A version of a record that reached the service. */
export interface ArrivedRecord {
  /** The record with the values of the version. */
  readonly record: DeviceRecord
  /** When the first version reached the service, milliseconds since 1970. */
  readonly firstAt: number
  /** When this version reached the service. */
  readonly at: number
}

/** Samples of a date that reached the service together: those from `start`, inclusive, to `end`, exclusive. */
export interface ArrivedSamples {
  readonly device: Device
  readonly samples: DeviceSamples
  readonly start: number
  readonly end: number
  /** When they reached the service. */
  readonly at: number
}

/** Returns the record of a slot; undefined for a slot of another feed. */
export function recordIn(feed: Feed, table: string, slot: Slot): ArrivedRecord | undefined {
  const device = feed.devices[slot.device]
  const record = device && recordsOf(feed.person, device, table, slot.date)[slot.start]
  if (!record) return undefined
  const { firstAt, at, isEarly } = slot
  const early = isEarly ? earlyVersion(feed, record) : undefined
  const values = early ? { ...record.values, ...early.values } : record.values
  return { record: { ...record, values }, firstAt, at }
}

/** Returns the samples of a slot; undefined for a slot of another feed. */
export function samplesIn(feed: Feed, series: string, slot: Slot): ArrivedSamples | undefined {
  const device = feed.devices[slot.device]
  const samples = device && seriesOf(feed.person, device, series, slot.date)
  if (!samples) return undefined
  const { start, end, at } = slot
  return { device, samples, start, end, at }
}

/** Returns the records that reached the service until a moment, each in its latest version. */
export function recordsUntil(
  feeds: readonly Feed[],
  table: string,
  moment: number,
): ArrivedRecord[] {
  const latest = new Map<string, ArrivedRecord>()
  for (const feed of feeds) {
    for (const slot of latestSlots(feed, table, moment)) {
      const arrived = recordIn(feed, table, slot)
      if (arrived) latest.set(arrived.record.id, arrived)
    }
  }
  return [...latest.values()]
}

/** Returns the latest slot of each record. */
function latestSlots(feed: Feed, table: string, moment: number): Slot[] {
  const latest = new Map<string, Slot>()
  for (const slot of slotsUntil(feed, table, moment)) {
    latest.set(`${slot.date}/${slot.device}/${slot.start}`, slot)
  }
  return [...latest.values()]
}

/** Returns the samples that reached the service until a moment, each of them once. */
export function samplesUntil(
  feeds: readonly Feed[],
  series: string,
  moment: number,
): ArrivedSamples[] {
  const sentUntil = new Map<string, number>()
  return feeds.flatMap((feed) => {
    const arrived = slotsUntil(feed, series, moment).flatMap(
      (slot) => samplesIn(feed, series, slot) ?? [],
    )
    const rest = arrived.flatMap((part) => withoutSent(part, sentUntil.get(part.device.id)))
    for (const { device, samples, end } of arrived) {
      const last = samples.moments[end - 1] ?? 0
      sentUntil.set(device.id, Math.max(last, sentUntil.get(device.id) ?? last))
    }
    return rest
  })
}

/** Drops the samples that an earlier connection to the same provider has already brought. */
function withoutSent(part: ArrivedSamples, sentUntil: number | undefined): ArrivedSamples[] {
  if (sentUntil === undefined) return [part]
  const { samples, end } = part
  let { start } = part
  while (start < end && (samples.moments[start] as number) <= sentUntil) start += 1
  return start < end ? [{ ...part, start }] : []
}
