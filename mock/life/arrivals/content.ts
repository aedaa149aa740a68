import type { Device, DeviceRecord, DeviceSamples } from '../devices/device-record.ts'
import { recordsOn, samplesOn } from './device-content.ts'
import type { Feed } from './feed.ts'
import { datesUntil, type Slot, slotsOf } from './slots.ts'
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
  const record = recordsOn(feed, slot.device, table, slot.date)[slot.start]
  if (!record) return undefined
  const { firstAt, at, isEarly } = slot
  const early = isEarly ? earlyVersion(feed, record) : undefined
  const values = early ? { ...record.values, ...early.values } : record.values
  return { record: { ...record, values }, firstAt, at }
}

/** Returns the samples of a slot; undefined for a slot of another feed. */
export function samplesIn(feed: Feed, series: string, slot: Slot): ArrivedSamples | undefined {
  const device = feed.devices[slot.device]
  const samples = samplesOn(feed, slot.device, series, slot.date)
  if (!device || !samples) return undefined
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
    for (const date of datesUntil(feed, table, moment)) {
      for (const slot of latestSlots(slotsOf(feed, table, date), moment)) {
        const arrived = recordIn(feed, table, slot)
        if (arrived) latest.set(arrived.record.id, arrived)
      }
    }
  }
  return [...latest.values()]
}

/** Returns the latest slot of each record or sample that reached the service until a moment. */
export function latestSlots(slots: readonly Slot[], moment: number): Slot[] {
  const latest = new Map<string, Slot>()
  for (const slot of slots) {
    if (slot.at <= moment) latest.set(`${slot.device}/${slot.start}`, slot)
  }
  return [...latest.values()]
}

/** Returns the samples that reached the service until a moment, each of them once. */
export function samplesUntil(
  feeds: readonly Feed[],
  series: string,
  moment: number,
): ArrivedSamples[] {
  const sent = new SentSamples()
  return feeds.flatMap((feed) =>
    datesUntil(feed, series, moment).flatMap((date) =>
      latestSlots(slotsOf(feed, series, date), moment).flatMap((slot) => {
        const arrived = samplesIn(feed, series, slot)
        return (arrived && sent.add(feed, arrived)) ?? []
      }),
    ),
  )
}

/** The latest sample that each connection to a provider has brought: a new connection brings some again. */
export class SentSamples {
  readonly #latest = new Map<string, { feed: number; before: number; latest: number }>()

  /** Returns the samples that no earlier connection has brought; undefined if it brought all of them. */
  add({ number }: Feed, part: ArrivedSamples): ArrivedSamples | undefined {
    const { device, samples, end } = part
    const key = `${device.id}/${samples.resource}`
    const none = Number.NEGATIVE_INFINITY
    const known = this.#latest.get(key) ?? { feed: number, before: none, latest: none }
    const before = known.feed === number ? known.before : known.latest
    const latest = Math.max(known.latest, samples.moments[end - 1] ?? none)
    this.#latest.set(key, { feed: number, before, latest })
    let { start } = part
    while (start < end && (samples.moments[start] ?? none) <= before) start += 1
    return start < end ? { ...part, start } : undefined
  }
}
