import { firstIndex } from '../../base/lists/binary-search.ts'
import { day } from '../../base/time-units.ts'
import type { DeviceRecord, DeviceSamples } from '../devices/device-record.ts'
import { recordsOf } from '../devices/records.ts'
import { seriesOf } from '../devices/series.ts'
import { isTable } from '../history/record-table.ts'
import type { Feed } from './feed.ts'
import { dateAt, syncBefore, syncFrom } from './moments.ts'
import { earlyVersion, longestCorrection } from './versions.ts'

/**
 * When a part of the data of a date reaches the service. It names the data and does not contain it, because the data is
 * generated again when it is read.
 */
export interface Slot {
  /** The calendar date of the data, in days since 1970. */
  readonly date: number
  /** The index of the device. */
  readonly device: number
  /** The index of the record, or of the first sample, among those of the device and date. */
  readonly start: number
  /** The index after the last one. */
  readonly end: number
  /** When it reaches the service, milliseconds since 1970. */
  readonly at: number
  /** When the first version of the record reached the service. */
  readonly firstAt: number
  /** Whether a final version follows. */
  readonly isEarly: boolean
}

/** The days of data that a new connection brings, as many as any pull of the mock. */
const pullDays = { records: 28, samples: 2 } as const

/** The dates around one whose data may be ready on it: a person may be anywhere, and a flight makes a day longer. */
const [datesBefore, datesAfter] = [3, 1] as const

/** Returns the slots of a resource that reach the service at a sync, or at the moment of the connection. */
export function slotsAt(feed: Feed, resource: string, at: number): Slot[] {
  return slotsBetween(feed, resource, at === feed.from ? at : syncBefore(feed, at), at).filter(
    (slot) => slot.at === at,
  )
}

/** Returns the slots of a resource that reach the service until a moment, in the order of their dates. */
export function slotsUntil(feed: Feed, resource: string, moment: number): Slot[] {
  return slotsBetween(feed, resource, feed.from, moment).filter(({ at }) => at <= moment)
}

/** Returns the slots of the dates whose data may reach the service between two syncs. */
function slotsBetween(feed: Feed, resource: string, from: number, until: number): Slot[] {
  const days = isTable(resource) ? pullDays.records : pullDays.samples
  const pulled = from === feed.from ? days * day : 0
  const first = dateAt(feed, from - longestCorrection - pulled) - datesBefore
  const last = dateAt(feed, until) + datesAfter
  const dates = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  return dates.flatMap((date) => slotsOf(feed, resource, date))
}

/** Returns all slots of a resource on a date, in the order of the devices, records and samples. */
function slotsOf(feed: Feed, resource: string, date: number): readonly Slot[] {
  return feed.recent.get(resource, date, () =>
    feed.devices.flatMap((device, index) => {
      if (!device.resources.includes(resource)) return []
      if (!isTable(resource)) {
        return sampleSlots(feed, index, seriesOf(feed.person, device, resource, date))
      }
      return recordsOf(feed.person, device, resource, date).flatMap((record, at) =>
        recordSlots(feed, index, record, at),
      )
    }),
  )
}

function recordSlots(feed: Feed, device: number, record: DeviceRecord, index: number): Slot[] {
  const { date } = record
  const firstAt = arrivalOf(feed, record, record.readyAt)
  if (firstAt === undefined) return []
  const slot = { date, device, start: index, end: index + 1, at: firstAt, firstAt, isEarly: false }
  const early = earlyVersion(feed, record)
  const finalAt = early && arrivalOf(feed, record, early.finalAt)
  if (!early || finalAt === firstAt) return [slot]
  const first = { ...slot, isEarly: true }
  return finalAt === undefined ? [first] : [first, { ...slot, at: finalAt }]
}

/** Returns when a record that is ready reaches the service; undefined if it never does. */
function arrivalOf(feed: Feed, { date }: DeviceRecord, readyAt: number): number | undefined {
  if (readyAt > feed.from) return syncFrom(feed, readyAt)
  return date >= dateAt(feed, feed.from) - pullDays.records ? feed.from : undefined
}

function sampleSlots(feed: Feed, device: number, samples: DeviceSamples | undefined): Slot[] {
  if (!samples) return []
  const { date, moments } = samples
  const slots: Slot[] = []
  let start = indexAfter(moments, feed.from - pullDays.samples * day)
  while (start < moments.length) {
    // The index is below the length.
    const at = syncFrom(feed, moments[start] as number)
    if (at === undefined) break
    const end = indexAfter(moments, at)
    slots.push({ date, device, start, end, at, firstAt: at, isEarly: false })
    start = end
  }
  return slots
}

/** Returns the index of the first moment after another one. */
function indexAfter(moments: Float64Array, moment: number): number {
  return firstIndex(moments.length, (index) => (moments[index] as number) > moment)
}
