interface Item {
  /** Records have a string. Samples have a number, which is not unique among many samples. */
  id?: string | number | null
  timestamp?: string
  value?: number
  updated_at?: string
}

export interface Row extends Item {
  resource: string
  user_id: string
  source: { provider: string; type: string }
}

/** A day's samples: the stored minutes, and the sum of the stored data. */
interface Day {
  minutes: Uint8Array
  sum: number
}

const minute = 60_000
const minutesOfDay = 1440

/**
 * A consumer's database that keeps digests instead of rows, so that many users fit into memory. It keeps the latest
 * version of each record, and each sample once.
 */
export class DigestStore {
  readonly #records = new Map<string, { version: string; hash: number }>()
  readonly #days = new Map<string, Day>()
  count = 0

  /** A newer version replaces an older one, and a known sample changes nothing. */
  put(row: Row): void {
    if (typeof row.id === 'string') this.#putRecord(row.id, row)
    else this.#putSample(row)
  }

  /** The digest does not depend on the order of the rows. */
  digest(): string {
    let sum = 0
    for (const [key, { hash }] of this.#records) sum = (sum + Math.imul(hash, hashOf(key))) | 0
    for (const [key, { sum: ofDay }] of this.#days) sum = (sum + Math.imul(ofDay, hashOf(key))) | 0
    return `${this.count} rows, ${sum}`
  }

  #putRecord(id: string, row: Row): void {
    const key = `${row.resource}/${id}`
    const version = row.updated_at ?? ''
    const known = this.#records.get(key)
    if (known && known.version > version) return
    if (!known) this.count += 1
    this.#records.set(key, { version, hash: hashOf(JSON.stringify(row)) })
  }

  #putSample({ resource, user_id, source, timestamp = '', value = 0 }: Row): void {
    const at = Date.parse(timestamp) / minute
    const date = Math.floor(at / minutesOfDay)
    const key = `${resource}/${user_id}/${source.provider}/${source.type}/${date}`
    const day = this.#days.get(key) ?? { minutes: new Uint8Array(minutesOfDay / 8), sum: 0 }
    this.#days.set(key, day)
    const index = at - date * minutesOfDay
    const bit = 1 << (index & 7)
    const byte = day.minutes[index >> 3] ?? 0
    if (byte & bit) return
    day.minutes[index >> 3] = byte | bit
    day.sum = (day.sum + Math.imul(index + 1, Math.round(value * 1000) + 1)) | 0
    this.count += 1
  }
}

/** Returns the FNV-1a hash of the UTF-16 code units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return hash | 1
}
