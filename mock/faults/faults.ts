import { type OperationPattern, operationMatcher } from '../base/operations.ts'
import type { Random } from '../base/random.ts'
import { checkAllUsed, MockError } from '../errors.ts'
import { type Instant, momentOf, spanOf, type TimeSpan } from '../state/clock/time.ts'
import { checkFields, formatValue, plainCopy } from '../state/plain.ts'

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
    const copy = plainCopy(fault, 'a fault')
    checkFault(copy)
    this.#count += 1
    const entry = this.#enter({
      id: this.#count,
      fault: copy,
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

  /**
   * Brings back what a snapshot keeps.
   *
   * @throws {MockError} as {@link Faults.add}.
   */
  restore(states: readonly FaultState[]): void {
    for (const state of states) {
      checkFields(state, ['id', 'fault', 'counts', 'used', 'window'], 'the state of a fault')
      checkFault(state.fault)
    }
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
function checkFault(fault: Fault): void {
  checkFields(fault, ['on', 'when', 'during', 'then'], 'a fault')
  const { on, when, during, then } = fault
  operationMatcher(on ?? '*')
  if (when !== undefined) checkCondition(when)
  if (during !== undefined) checkDuring(during)
  checkEffect(then)
}

function checkCondition(when: FaultCondition): void {
  const [[name, value] = [], ...others] = Object.entries(Object(when))
  const isCount = Number.isInteger(value) && Number(value) >= 1
  const isShare = typeof value === 'number' && value >= 0 && value <= 1
  const isFine = name === 'first' || name === 'nth' ? isCount : name === 'probability' && isShare
  if (isFine && others.length === 0) return
  throw new MockError(
    'invalid_option',
    `Expected exactly one of { first } or { nth } with a whole number from 1, or { probability } from 0 to 1, but got ${formatValue(when)}.`,
  )
}

function checkDuring(during: NonNullable<Fault['during']>): void {
  checkFields(during, ['from', 'until'], 'the during of a fault')
  const from = during.from === undefined ? Number.NEGATIVE_INFINITY : momentOf(during.from)
  const until = during.until === undefined ? Number.POSITIVE_INFINITY : momentOf(during.until)
  if (from < until) return
  throw new MockError(
    'invalid_option',
    `Expected during.from before during.until, but got ${formatValue(during)}.`,
  )
}

/** The effects that are objects: the field that names each, what it must be, and its further fields. */
const objectEffects: Record<
  string,
  [isFine: (effect: StatusEffect & FaultFields) => boolean, ...string[]]
> = {
  status: [isFineStatus, 'body', 'retryAfter', 'retryAfterAs'],
  latency: [({ latency }) => spanOf(latency) >= 0],
  rateLimit: [({ rateLimit }) => isFineLimit(rateLimit)],
  redirect: [({ redirect }) => typeof redirect === 'string'],
  drift: [({ drift }) => drifts.includes(drift)],
  archive: [({ archive }) => corruptions.includes(archive)],
}

/** The fields of all effects but the status. */
interface FaultFields {
  latency: TimeSpan
  rateLimit: { requests: number; per: TimeSpan }
  redirect: string
  drift: Drift
  archive: ArchiveCorruption
}

function checkEffect(effect: FaultEffect): void {
  if (namedEffects.includes(effect) || isFineObject(effect)) return
  throw new MockError(
    'invalid_option',
    `Expected an effect: one of ${namedEffects.join(', ')}, or an object with exactly one of status (200 to 599), latency, rateLimit ({ requests, per }), redirect, drift (${drifts.join(', ')}) or archive (${corruptions.join(', ')}), but got ${formatValue(effect)}.`,
  )
}

function isFineObject(effect: unknown): boolean {
  if (typeof effect !== 'object' || effect === null) return false
  const given = Object.entries(effect).flatMap(([name, value]) => (value === undefined ? [] : name))
  const kind = given.find((name) => Object.hasOwn(objectEffects, name))
  const plan = kind && objectEffects[kind]
  if (!plan) return false
  const [isFine, ...further] = plan
  if (given.some((name) => name !== kind && !further.includes(name))) return false
  // Each function looks at the fields of its own effect only.
  return isFine(effect as StatusEffect & FaultFields)
}

function isFineStatus({ status, retryAfter, retryAfterAs = 'seconds' }: StatusEffect): boolean {
  if (retryAfter !== undefined) spanOf(retryAfter)
  const isKnownForm = retryAfterAs === 'seconds' || retryAfterAs === 'date'
  return isKnownForm && Number.isInteger(status) && status >= 200 && status <= 599
}

function isFineLimit(limit: FaultFields['rateLimit']): boolean {
  checkFields(limit, ['requests', 'per'], 'a rateLimit')
  return Number.isInteger(limit.requests) && limit.requests >= 0 && spanOf(limit.per) > 0
}
