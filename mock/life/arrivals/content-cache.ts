import type { DeviceRecord, DeviceSamples } from '../devices/device-record.ts'
import { recordsOf } from '../devices/records.ts'
import { seriesOf } from '../devices/series.ts'
import type { Feed } from './feed.ts'

/** The bytes that are kept, about; a day of minute samples takes about 35 kB, a record about 1.5 kB. */
const keptBytes = 24 * 1024 * 1024
const recordBytes = 1536
const sampleBytes = 24

interface Kept {
  value: readonly DeviceRecord[] | DeviceSamples | undefined
  bytes: number
}

/** What devices reported, up to a number of bytes: the least recently used parts are dropped and generated again. */
export class ContentCache {
  readonly #kept = new Map<string, Kept>()
  #bytes = 0

  /** Returns a part, and generates it if it is not kept. */
  get<Value extends Kept['value']>(name: string, generate: () => Value): Value {
    const known = this.#kept.get(name)
    const kept = known ?? this.#measure(generate())
    // The last one is the most recently used one.
    if (known) this.#kept.delete(name)
    else this.#bytes += kept.bytes
    this.#kept.set(name, kept)
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#bytes <= keptBytes) break
      this.#kept.delete(oldest)
      this.#bytes -= bytes
    }
    // A name stands for values of one type.
    return kept.value as Value
  }

  #measure(value: Kept['value']): Kept {
    if (value === undefined) return { value, bytes: 200 }
    const size =
      'moments' in value ? value.moments.length * sampleBytes : value.length * recordBytes
    return { value, bytes: size + 200 }
  }
}

/** Returns the records of a table that a device of a feed reports for a date. */
export function recordsOn(
  feed: Feed,
  device: number,
  table: string,
  date: number,
): readonly DeviceRecord[] {
  const of = feed.devices[device]
  if (!of) return []
  const name = `${feed.number}/${device}/${table}/${date}`
  return feed.content.get(name, () => recordsOf(feed.person, of, table, date))
}

/** Returns the samples of a time series that a device of a feed took on a date; undefined without any. */
export function samplesOn(
  feed: Feed,
  device: number,
  series: string,
  date: number,
): DeviceSamples | undefined {
  const of = feed.devices[device]
  if (!of) return undefined
  const name = `${feed.number}/${device}/${series}/${date}`
  return feed.content.get(name, () => seriesOf(feed.person, of, series, date))
}
