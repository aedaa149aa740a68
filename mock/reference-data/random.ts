/** The state of a {@link Random}. */
export interface RandomState {
  /** The seed, from which fork seeds are derived. */
  seed: string
  /** The state words of sfc32, which determine the next numbers. */
  words: [number, number, number, number]
}

/**
 * A seeded random number generator: the same seed produces the same sequence on every machine. Uses sfc32, which is not
 * cryptographically secure.
 */
export class Random {
  readonly #seed: string
  readonly #words: Uint32Array

  constructor(seed: string | number) {
    this.#seed = String(seed)
    this.#words = wordsOf(this.#seed)
    // Skip the first numbers, because similar seeds produce similar first numbers.
    for (let round = 0; round < 12; round += 1) this.#word()
  }

  static from({ seed, words }: RandomState): Random {
    const random = new Random(seed)
    random.#words.set(words)
    return random
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    return this.#word() / 0x1_0000_0000
  }

  /** Returns an integer from `min` to `max`, inclusive. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1))
  }

  pick<T>(items: readonly T[]): T {
    // The index is within the array, which is not empty.
    return items[this.integer(0, items.length - 1)] as T
  }

  uuid(): string {
    const [a, b, c, d] = [this.#word(), this.#word(), this.#word(), this.#word()]
    const version = ((b & 0xffff_0fff) | 0x4000) >>> 0
    const variant = ((c & 0x3fff_ffff) | 0x8000_0000) >>> 0
    const [second, third] = [hex(version), hex(variant)]
    const last = third.slice(4) + hex(d)
    // `join` creates a new string. A template literal would keep its parts in memory.
    return [hex(a), second.slice(0, 4), second.slice(4), third.slice(0, 4), last].join('-')
  }

  /**
   * Returns an independent generator. Its sequence depends only on this generator's seed and the label. Neither
   * generator advances the other.
   */
  fork(label: string): Random {
    return new Random(`${this.#seed}/${label}`)
  }

  state(): RandomState {
    const [a = 0, b = 0, c = 0, counter = 0] = this.#words
    return { seed: this.#seed, words: [a, b, c, counter] }
  }

  #word(): number {
    const [a = 0, b = 0, c = 0, counter = 0] = this.#words
    const word = (a + b + counter) >>> 0
    this.#words[0] = b ^ (b >>> 9)
    this.#words[1] = c + (c << 3)
    this.#words[2] = ((c << 21) | (c >>> 11)) + word
    this.#words[3] = counter + 1
    return word
  }
}

/**
 * Derives four words from a seed by hashing its UTF-16 code units with FNV-1a, using a different offset for each word.
 */
function wordsOf(seed: string): Uint32Array {
  let [a, b, c, d] = [0x811c9dc5, 0x2545f491, 0x9e3779b9, 0x85ebca6b]
  for (let at = 0; at < seed.length; at += 1) {
    const unit = seed.charCodeAt(at)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ unit, 0x01000193)
    c = Math.imul(c ^ unit, 0x01000193)
    d = Math.imul(d ^ unit, 0x01000193)
  }
  return Uint32Array.of(a, b, c, d)
}

function hex(word: number): string {
  return word.toString(16).padStart(8, '0')
}
