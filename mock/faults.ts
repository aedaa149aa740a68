import { checkAllUsed, MockError } from './errors.ts'
import { type OperationPattern, operationMatcher } from './operations.ts'
import type { Random } from './random.ts'
import { type Instant, momentOf, spanOf, type TimeSpan } from './time.ts'

/** Which requests of an operation a fault meets; each operation is counted for itself, from the fault's adding. */
export type FaultCondition =
  | { first: number }
  | { nth: number }
  /** From 0 to 1; chance is seeded. */
  | { probability: number }

/** Answers a status instead of the service, as a gateway would. */
export interface StatusEffect {
  status: number
  /** Default: `{"detail": ...}`; none for 204, 205 and 304, which can have none. */
  body?: unknown
  /** Sends a Retry-After header, in whole seconds. */
  retryAfter?: TimeSpan
  /** Sends the Retry-After header as a date, by the team's clock. */
  retryAfterAs?: 'seconds' | 'date'
}

/** How an answer departs from the specification, within what a tolerant client bears. */
export type Drift = 'unknown_values' | 'extra_fields' | 'nulls' | 'missing_fields'

/** What is wrong with the archive of a Parquet answer. */
export type ArchiveCorruption = 'truncated' | 'traversal' | 'bomb' | 'bad_footer'

/** What happens to a request. */
export type FaultEffect =
  | StatusEffect
  /** The request takes so much longer, in team time. */
  | { latency: TimeSpan }
  /** More requests than so many in a span of team time answer 429, with a Retry-After header. */
  | { rateLimit: { requests: number; per: TimeSpan } }
  /** Nobody listens: the request provably never arrived. */
  | 'refuse_connection'
  /** The connection is cut before the service does anything. */
  | 'cut_before_answer'
  /** The service does what it is asked for, and then the answer is lost. */
  | 'lose_answer'
  /** The body of the answer ends half-way. */
  | 'cut_mid_body'
  /** The body of the answer is no JSON. */
  | 'malformed_json'
  /** A page of HTML with status 200, as a proxy would send it. */
  | 'html'
  /** A redirection to another address. */
  | { redirect: string }
  | { drift: Drift }
  | { archive: ArchiveCorruption }

/** Something that goes wrong. */
export interface Fault {
  /** Default: every operation. */
  on?: OperationPattern
  /** Default: every request. */
  when?: FaultCondition
  /** Only within this time of the team's clock; either end may be open. */
  during?: { from?: Instant; until?: Instant }
  then: FaultEffect
}

/** A fault that was added. */
export interface AddedFault {
  /** 1 for the team's first fault. */
  readonly id: number
  readonly fault: Fault
  /** How many requests it has met. */
  readonly used: number
  /** Takes the fault back. */
  remove(): void
}

/** A fault and how far it is; plain, so that a snapshot can keep it. */
export interface FaultState {
  id: number
  fault: Fault
  /** Requests counted, by operation. */
  counts: Record<string, number>
  used: number
  /** The window of a rate limit: when it began, and how many requests came within it. */
  window?: { began: number; requests: number }
}

interface Entry extends FaultState {
  matches: (operation: string | undefined) => boolean
}

/** A rate limit that a request exceeded answers with this effect. */
export type DueEffect = Exclude<FaultEffect, { rateLimit: object }>

/** The faults of a team. */
export class Faults {
  readonly #now: () => number
  readonly #random: () => Random
  #entries: Entry[] = []
  #count = 0

  constructor(now: () => number, random: () => Random) {
    this.#now = now
    this.#random = random
  }

  /**
   * Adds a fault. Of several that meet a request, latencies add up, and of effects that exclude each other the one
   * added first counts.
   *
   * @throws {MockError} `unknown_operation` or `invalid_option` when it could never happen.
   */
  add(fault: Fault): AddedFault {
    checkFault(fault)
    this.#count += 1
    const entry = this.#enter({
      id: this.#count,
      fault: structuredClone(fault),
      counts: {},
      used: 0,
    })
    return this.#added(entry)
  }

  /** The faults that are in force, in the order of their adding. */
  list(): AddedFault[] {
    return this.#entries.map((entry) => this.#added(entry))
  }

  /** The faults that no request has met. */
  unused(): Fault[] {
    return this.#entries.filter(({ used }) => used === 0).map(({ fault }) => fault)
  }

  /** @throws {MockError} `unused_faults` when no request has met one of the faults. */
  assertAllUsed(): void {
    checkAllUsed(this.unused())
  }

  /** Removes every fault. */
  clear(): void {
    this.restore([])
  }

  /** The effects that a request meets, in the order in which the faults were added. */
  meet(operation: string | undefined): DueEffect[] {
    return this.#entries
      .filter((entry) => entry.matches(operation) && this.#isDue(entry, operation ?? ''))
      .flatMap((entry) => {
        const effect = this.#effectOf(entry)
        if (effect) entry.used += 1
        return effect ? [effect] : []
      })
  }

  /** What a snapshot keeps. */
  snapshot(): FaultState[] {
    return structuredClone(this.#entries.map(({ matches: _, ...state }) => state))
  }

  /** Brings back what a snapshot keeps. */
  restore(states: FaultState[]): void {
    this.#entries = []
    for (const state of structuredClone(states)) this.#enter(state)
    this.#count = Math.max(0, ...states.map(({ id }) => id))
  }

  #added(entry: Entry): AddedFault {
    return {
      id: entry.id,
      fault: structuredClone(entry.fault),
      get used() {
        return entry.used
      },
      remove: () => {
        this.#entries = this.#entries.filter((kept) => kept !== entry)
      },
    }
  }

  #enter(state: FaultState): Entry {
    const entry = { ...state, matches: operationMatcher(state.fault.on ?? '*') }
    this.#entries.push(entry)
    return entry
  }

  /** Counts the request, and says whether the fault meets it. */
  #isDue({ id, fault, counts }: Entry, operation: string): boolean {
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
    // Each draw is of its own, so that no other request or fault ever shifts it.
    return this.#random().fork(`fault/${id}/${operation}/${count}`).next() < when.probability
  }

  #effectOf(entry: Entry): DueEffect | undefined {
    const { then } = entry.fault
    if (typeof then === 'string' || !('rateLimit' in then)) return then
    const { requests, per } = then.rateLimit
    const now = this.#now()
    const last = entry.window
    const isOpen = last !== undefined && now < last.began + spanOf(per)
    const window = isOpen ? last : { began: now, requests: 0 }
    window.requests += 1
    entry.window = window
    if (window.requests <= requests) return undefined
    return { status: 429, retryAfter: window.began + spanOf(per) - now }
  }
}

const namedEffects: readonly FaultEffect[] = [
  'refuse_connection',
  'cut_before_answer',
  'lose_answer',
  'cut_mid_body',
  'malformed_json',
  'html',
]

const drifts: readonly Drift[] = ['unknown_values', 'extra_fields', 'nulls', 'missing_fields']
const corruptions: readonly ArchiveCorruption[] = ['truncated', 'traversal', 'bomb', 'bad_footer']

/** Refuses what could never happen, or not as it is said. */
function checkFault({ on, when, during, then }: Fault): void {
  operationMatcher(on ?? '*')
  if (when) checkCondition(when)
  if (during?.from !== undefined) momentOf(during.from)
  if (during?.until !== undefined) momentOf(during.until)
  checkEffect(then)
}

function checkCondition(when: FaultCondition): void {
  const isCount = (count: number) => Number.isInteger(count) && count >= 1
  const isFine =
    ('first' in when && isCount(when.first)) ||
    ('nth' in when && isCount(when.nth)) ||
    ('probability' in when && when.probability >= 0 && when.probability <= 1)
  if (isFine) return
  throw new MockError(
    'invalid_option',
    `Expected { first } or { nth } with a whole number from 1, or { probability } from 0 to 1, but got ${JSON.stringify(when)}.`,
  )
}

function checkEffect(effect: FaultEffect): void {
  if (namedEffects.includes(effect) || isFineObject(Object(effect))) return
  throw new MockError(
    'invalid_option',
    `Expected an effect: one of ${namedEffects.join(', ')}, or an object with status (200 to 599), latency, rateLimit, redirect, drift (${drifts.join(', ')}) or archive (${corruptions.join(', ')}), but got ${JSON.stringify(effect)}.`,
  )
}

function isFineObject(effect: Record<string, never>): boolean {
  const { status, latency, rateLimit, redirect, drift, archive, retryAfter } = effect
  if (retryAfter !== undefined) spanOf(retryAfter)
  if (latency !== undefined) return spanOf(latency) >= 0
  if (rateLimit !== undefined) return spanOf((rateLimit as { per: TimeSpan }).per) > 0
  if (status !== undefined) return Number.isInteger(status) && status >= 200 && status <= 599
  if (drift !== undefined) return drifts.includes(drift)
  return (
    typeof redirect === 'string' || corruptions.includes(archive as unknown as ArchiveCorruption)
  )
}
