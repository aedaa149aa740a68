import { present } from '../../src/shared/narrow.ts'

// Random numbers by index: the same seed and index always produce the same number, in any call order.

/** Hashes a seed and a 32-bit index into an unsigned 32-bit integer. */
export function mix(seed: number, index: number): number {
  let hash = seed ^ Math.imul(index, 0x9e3779b1)
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Returns the random number at an index, from 0 (inclusive) to 1 (exclusive). */
export function uniform(seed: number, index: number): number {
  return mix(seed, index) / 0x1_0000_0000
}

/** Returns noise from -1 to 1 that moves smoothly to a new random value every `span` units of `at`. */
export function smoothNoise(seed: number, at: number, span: number): number {
  const place = at / span
  const left = Math.floor(place)
  const part = place - left
  const weight = part * part * (3 - 2 * part)
  return 2 * (uniform(seed, left) * (1 - weight) + uniform(seed, left + 1) * weight) - 1
}

/** Returns noise from -1 to 1 that changes over weeks, months and seasons. */
export function slowNoise(seed: number, date: number): number {
  return (
    0.2 * smoothNoise(seed, date, 9) +
    0.3 * smoothNoise(seed + 1, date, 35) +
    0.5 * smoothNoise(seed + 2, date, 140)
  )
}

/** Generates random numbers from a seed and an index, such as a date (mulberry32). */
export class Draws {
  #state: number

  constructor(seed: number, index: number) {
    this.#state = mix(seed, index)
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let word = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word
    return ((word ^ (word >>> 14)) >>> 0) / 0x1_0000_0000
  }

  /** Returns an integer from `min` to `max`, inclusive. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1))
  }

  /** Returns a number around `center`, at most `spread` away and usually closer. */
  around(center: number, spread: number): number {
    return center + (this.next() + this.next() + this.next() - 1.5) * (spread / 1.5)
  }

  integerAround(center: number, spread: number): number {
    return Math.round(this.around(center, spread))
  }

  pick<T>(items: readonly T[]): T {
    // The index is within the array, which is not empty.
    return present(items[Math.floor(this.next() * items.length)])
  }
}
