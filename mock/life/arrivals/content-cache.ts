import type { DeviceRecord, DeviceSamples } from '../devices/device-record.ts'

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
    // The values of a name have one type.
    return kept.value as Value
  }

  #measure(value: Kept['value']): Kept {
    if (value === undefined) return { value, bytes: 200 }
    const size =
      'moments' in value ? value.moments.length * sampleBytes : value.length * recordBytes
    return { value, bytes: size + 200 }
  }
}
