import { deepFreeze } from '../shared/freeze.ts'
import { day } from '../shared/time-units.ts'

/** A stored response, as plain values. */
export interface StoredResponse {
  status: number
  /** The parsed JSON body, or a string if it is not JSON. */
  body: unknown
  /** The body's media type. */
  type: string
}

/** A team's idempotency keys in a snapshot, oldest first. */
export type IdempotencySnapshot = [
  key: string,
  stored: {
    /** When the key expires, as a Unix timestamp in milliseconds. */ expires: number
  } & StoredResponse,
][]

/** How long a response is stored, in virtual time. */
const lifetime = day

export interface KeyClaim {
  /** Stores the response for later requests with the key. */
  store(response: StoredResponse): void
  release(): void
}

/** The responses to requests with an idempotency key (assumption: specification 4.12 does not mention keys). */
export class IdempotencyKeys {
  readonly #clock: { readonly moment: number }
  /** The responses by key, in insertion order. They expire in the same order. */
  #stored = new Map<string, IdempotencySnapshot[number]>()
  #running = new Map<string, KeyClaim>()

  constructor(clock: { readonly moment: number }) {
    this.#clock = clock
  }

  get(key: string): StoredResponse | undefined {
    this.#dropExpired()
    return this.#stored.get(key)?.[1]
  }

  isRunning(key: string): boolean {
    return this.#running.has(key)
  }

  /** Claims a key for a request. A claim made before a restore stores nothing. */
  claim(key: string): KeyClaim {
    const isCurrent = () => this.#running.get(key) === claim
    const claim: KeyClaim = {
      store: ({ status, body, type }) => {
        if (!isCurrent()) return
        const expires = this.#clock.moment + lifetime
        // The journal contains the same body object. Freeze it, because a test must not change later responses.
        this.#stored.set(key, [key, deepFreeze({ status, body, type, expires })])
      },
      release: () => {
        if (isCurrent()) this.#running.delete(key)
      },
    }
    this.#running.set(key, claim)
    return claim
  }

  /** Returns the stored responses but not the requests in progress. */
  snapshot(): IdempotencySnapshot {
    this.#dropExpired()
    return [...this.#stored.values()]
  }

  restore(snapshot: IdempotencySnapshot = []): void {
    this.#running.clear()
    this.#stored = new Map(snapshot.map((entry) => [entry[0], entry]))
  }

  #dropExpired(): void {
    for (const [key, { expires }] of this.#stored.values()) {
      if (expires > this.#clock.moment) return
      this.#stored.delete(key)
    }
  }
}
