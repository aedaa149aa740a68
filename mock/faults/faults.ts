import type { CallSite } from '../../src/shared/stack.ts'
import { checkAllUsed } from '../errors.ts'
import type { Random } from '../reference-data/random.ts'
import { momentOf, spanOf } from '../state/clock/time.ts'
import { plainCopy } from '../state/plain.ts'
import { checkFault, checkFaultStates } from './check-fault.ts'
import type { Fault, FaultEffect } from './fault.ts'
import { operationMatcher } from './operation-pattern.ts'

/** A fault added to a team. */
export interface AddedFault {
  /** The fault number, starting at 1 for each team. */
  readonly id: number
  /** A copy of the fault. */
  readonly fault: Fault
  /** The number of requests that the fault affected. */
  readonly useCount: number
  /** Removes the fault, so it affects no further requests. */
  remove(): void
}

/** A fault and its counts, as stored in a reproduction. */
export interface FaultState {
  /** The fault number, starting at 1 for each team. */
  id: number
  /** The fault. */
  fault: Fault
  /** The number of matching requests, by operation. */
  counts: Record<string, number>
  /** The number of requests that the fault affected. */
  useCount: number
  /** A rate limit's current window: its start as a Unix timestamp in milliseconds, and its request count. */
  window?: { began: number; requests: number }
}

interface StoredFault extends FaultState {
  /** Where the fault was added, or undefined for a fault from a reproduction. */
  site?: CallSite
  matches: (operation: string | undefined) => boolean
}

/** An effect on one request. An exceeded rate limit is already converted to a status effect. */
export type DueEffect = Exclude<FaultEffect, { rateLimit: object }>

/** A team's faults. */
export class Faults {
  readonly #now: () => number
  readonly #random: () => Random
  readonly #entries = new Set<StoredFault>()
  #latest = 0

  constructor(now: () => number, random: () => Random) {
    this.#now = now
    this.#random = random
  }

  /** The number of faults. */
  get size(): number {
    return this.#entries.size
  }

  /** The highest fault number so far, including removed faults, or 0 if no fault was ever added. */
  get latest(): number {
    return this.#latest
  }

  /**
   * Adds a fault. If several faults affect a request, their latencies add up. The first effect that prevents the
   * service from handling the request suppresses all other effects except latencies. Suppressed faults count as used.
   *
   * @throws {MockError} `unknown_operation`, `invalid_option` or `invalid_time` for an invalid fault, such as one whose
   *   period ends before it starts.
   */
  add(fault: Fault): AddedFault {
    const copy = plainCopy(fault, 'a fault')
    checkFault(copy)
    this.#latest += 1
    const entry = this.#insert({ id: this.#latest, fault: copy, counts: {}, useCount: 0 })
    entry.site = new Error()
    return this.#view(entry)
  }

  /** Returns the faults in insertion order. */
  list(): AddedFault[] {
    return [...this.#entries].map((entry) => this.#view(entry))
  }

  /** Returns the faults that have not affected any request. */
  unused(): Fault[] {
    return this.#unused().map(({ fault }) => fault)
  }

  /**
   * Checks that every fault affected a request.
   *
   * @throws {MockError} `unused_faults` if a fault was unused. The error's stack contains the line that added the first
   *   unused fault.
   */
  assertAllUsed(): void {
    const unused = this.#unused()
    checkAllUsed(
      unused.map(({ fault }) => fault),
      unused.map(({ site }) => site),
    )
  }

  /** Removes all faults. Fault numbers are not reused. */
  clear(): void {
    this.#entries.clear()
  }

  /** Counts a request and returns the effects on it, in the insertion order of the faults. */
  effectsOn(operation: string | undefined): DueEffect[] {
    if (this.#entries.size === 0) return []
    return [...this.#entries]
      .filter((entry) => entry.matches(operation) && this.#isDue(entry, operation ?? ''))
      .flatMap((entry) => {
        const effect = this.#effectOf(entry)
        if (!effect) return []
        entry.useCount += 1
        return [effect]
      })
  }

  /** Returns a copy of the faults and their counts. */
  snapshot(): FaultState[] {
    return structuredClone([...this.#entries].map(({ matches: _, site: __, ...state }) => state))
  }

  /**
   * Restores faults and their counts from a reproduction.
   *
   * @param states The faults with their counts.
   * @param latest The highest fault number so far, including removed faults. Default: the highest number in `states`.
   * @throws {MockError} Under the same conditions as {@link Faults.add}.
   */
  restore(states: readonly FaultState[], latest = 0): void {
    checkFaultStates(states, latest)
    this.#entries.clear()
    for (const state of structuredClone(states)) this.#insert(state)
    this.#latest = Math.max(latest, ...states.map(({ id }) => id))
  }

  #view(entry: StoredFault): AddedFault {
    return {
      id: entry.id,
      fault: structuredClone(entry.fault),
      get useCount() {
        return entry.useCount
      },
      remove: () => void this.#entries.delete(entry),
    }
  }

  #insert(state: FaultState): StoredFault {
    const entry = { ...state, matches: operationMatcher(state.fault.on ?? '*') }
    this.#entries.add(entry)
    return entry
  }

  #unused(): StoredFault[] {
    return [...this.#entries].filter(({ useCount }) => useCount === 0)
  }

  /** Counts the request if the fault is active, and returns whether the fault affects the request. */
  #isDue({ id, fault, counts }: StoredFault, operation: string): boolean {
    const { from, until } = fault.during ?? {}
    const now = this.#now()
    if (from !== undefined && now < momentOf(from)) return false
    if (until !== undefined && now >= momentOf(until)) return false
    const count = (counts[operation] ?? 0) + 1
    counts[operation] = count
    const { when } = fault
    if (!when) return true
    if ('first' in when) return count <= when.first
    if ('nth' in when) return count === when.nth
    // The random number for an operation's n-th request does not depend on other operations or faults.
    return this.#random().fork(`fault/${id}/${operation}/${count}`).next() < when.probability
  }

  #effectOf(entry: StoredFault): DueEffect | undefined {
    const { then } = entry.fault
    if (typeof then === 'string' || !('rateLimit' in then)) return then
    const { requests, per } = then.rateLimit
    const now = this.#now()
    const last = entry.window
    // Restoring a snapshot can move time back to before the window.
    const isOpen = last !== undefined && last.began <= now && now < last.began + spanOf(per)
    const window = isOpen ? last : { began: now, requests: 0 }
    window.requests += 1
    entry.window = window
    if (window.requests <= requests) return undefined
    return { status: 429, retryAfter: window.began + spanOf(per) - now }
  }
}
