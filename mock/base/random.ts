/** The whole state of a {@link Random}: where it stands in its sequence, and what its forks derive from. */
export interface RandomState {
  seed: string
  words: [number, number, number, number]
}

/**
 * A seeded source of chance: the same seed gives the same sequence on every machine. The generator is sfc32, which is
 * small and passes the usual tests; it is no source of secrets.
 */
export class Random {
  readonly #seed: string
  readonly #words: Uint32Array

  constructor(seed: string | number) {
    this.#seed = String(seed)
    this.#words = wordsOf(this.#seed)
    // The first draws of close seeds are alike until the state is stirred.
    for (let round = 0; round < 12; round += 1) this.#word()
  }

  /** Continues where a state was taken. */
  static from({ seed, words }: RandomState): Random {
    const random = new Random(seed)
    random.#words.set(words)
    return random
  }

  /** A number from 0 inclusive to 1 exclusive. */
  next(): number {
    return this.#word() / 0x1_0000_0000
  }

  /** A whole number from `min` to `max`, both inclusive. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1))
  }

  /** One item of an array that is not empty. */
  pick<T>(items: readonly T[]): T {
    // The index is within the array, which is not empty.
    return items[this.integer(0, items.length - 1)] as T
  }

  /** A UUID of version 4. */
  uuid(): string {
    const [a, b, c, d] = [this.#word(), this.#word(), this.#word(), this.#word()]
    const version = ((b & 0xffff_0fff) | 0x4000) >>> 0
    const variant = ((c & 0x3fff_ffff) | 0x8000_0000) >>> 0
    const [second, third] = [hex(version), hex(variant)]
    return `${hex(a)}-${second.slice(0, 4)}-${second.slice(4)}-${third.slice(0, 4)}-${third.slice(4)}${hex(d)}`
  }

  /**
   * A source of its own, which depends on this one's seed and the label only: drawing from either never moves the
   * other.
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

/** Four words from a text (FNV-1a over UTF-16 units, once per word with an offset of its own). */
function wordsOf(seed: string): Uint32Array {
  return Uint32Array.from([0x811c9dc5, 0x2545f491, 0x9e3779b9, 0x85ebca6b], (offset) => {
    let hash = offset
    for (let at = 0; at < seed.length; at += 1) {
      hash = Math.imul(hash ^ seed.charCodeAt(at), 0x01000193)
    }
    return hash >>> 0
  })
}

function hex(word: number): string {
  return word.toString(16).padStart(8, '0')
}
