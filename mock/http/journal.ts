import type { EmittedEvent } from '../events/outbox.ts'
import type { Change } from '../state/collection.ts'
import type { Har } from './har.ts'
import { type OperationId, type OperationPattern, operationMatcher } from './operations.ts'

/** A request that the team made, and what came of it. */
export interface JournalEntry {
  /** 1 for the team's first request. */
  readonly number: number
  /** Undefined for a request to no known route. */
  readonly operation: OperationId | undefined
  readonly method: string
  /** The path as the specification spells it; as it was sent where no route is known. */
  readonly path: string
  /** Team time. */
  readonly at: Date
  readonly request: JournalRequest
  /** Undefined while the request waits, and when the caller got none. */
  answer?: JournalAnswer
  /** What became of the request; `aborted` by its caller, `lost` by a fault. */
  outcome: 'waiting' | 'answered' | 'refused' | 'lost' | 'aborted' | 'failed'
  /** What the request changed in the team's state, at once or in the background. */
  readonly changes: readonly Change[]
  /** The events that the request caused, at once or in the background. */
  readonly events: readonly EmittedEvent[]
  /** The messages of errors in due events that the request caused, such as the timeout of its booking. */
  readonly failures: readonly string[]
}

/** What the team sent. */
export interface JournalRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly params: Record<string, string>
  query: Record<string, unknown>
  /** The JSON of the body, or its text where it is no JSON; undefined without a body. */
  body: unknown
}

/** What the team was answered. */
export interface JournalAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  /** The JSON of the body, or its bytes. */
  readonly body: unknown
}

/** Of the changes, and of the events, of a single request this many are kept; a large import causes more. */
const changeLimit = 1000

/** What an entry, and each of its changes, counts for beside its bodies: about what its other fields take. */
const entryBytes = 1024

/** What headers count for. */
export function headerBytes(headers: Readonly<Record<string, string>>): number {
  return String(Object.entries(headers)).length
}

/** How much a journal keeps. */
interface JournalLimits {
  journalLimit: number
  journalBytes: number
}

/** The requests of a team, in order; the oldest are dropped beyond a limit. */
export class Journal {
  readonly #limits: () => JournalLimits
  #entries: JournalEntry[] = []
  /** The bytes that each entry counts for. */
  #sizes = new WeakMap<JournalEntry, number>()
  #bytes = 0
  #count = 0

  constructor(limits: () => JournalLimits) {
    this.#limits = limits
  }

  /** How many requests were made, dropped ones included. */
  get count(): number {
    return this.#count
  }

  /** The requests that are kept, the oldest first: of all operations or of those that fit the pattern. */
  requests(pattern: OperationPattern = '*'): JournalEntry[] {
    const matches = operationMatcher(pattern)
    return this.#entries.filter(({ operation }) => matches(operation))
  }

  /** The latest request: of all operations or of those that fit the pattern. */
  last(pattern: OperationPattern = '*'): JournalEntry | undefined {
    return this.requests(pattern).at(-1)
  }

  /** A line for each request, such as `insurance.create 200` or `link.bulkImport lost`. */
  lines(pattern: OperationPattern = '*'): string[] {
    return this.requests(pattern).map(({ operation, method, answer, outcome }) => {
      return `${operation ?? `${method} unknown`} ${answer?.status ?? outcome}`
    })
  }

  /** The requests as a HAR 1.2 document without secrets and health data: of every value only its type is left. */
  async har(): Promise<Har> {
    const { harOf } = await import('./har.ts')
    return harOf(this.#entries)
  }

  /** Forgets every request. */
  clear(): void {
    this.#entries = []
    this.#sizes = new WeakMap()
    this.#bytes = 0
    this.#count = 0
  }

  /** Notes a request that came. */
  open(
    facts: Pick<JournalEntry, 'operation' | 'method' | 'path' | 'at' | 'request'>,
  ): JournalEntry {
    this.#count += 1
    const entry: JournalEntry = {
      number: this.#count,
      ...facts,
      outcome: 'waiting',
      changes: [],
      events: [],
      failures: [],
    }
    this.#entries.push(entry)
    this.#sizes.set(entry, 0)
    this.grow(entry, entryBytes + facts.request.url.length + headerBytes(facts.request.headers))
    return entry
  }

  /** Counts bytes of an entry, such as those of its response, and drops the oldest entries beyond the limits. */
  grow(entry: JournalEntry, bytes: number): void {
    const size = this.#sizes.get(entry)
    // It was dropped while its request waited.
    if (size === undefined) return
    this.#sizes.set(entry, size + bytes)
    this.#bytes += bytes
    const { journalLimit, journalBytes } = this.#limits()
    while (this.#entries.length > journalLimit || this.#isTooLarge(journalBytes)) this.#drop()
  }

  /** The latest request stays, however large it is. */
  #isTooLarge(limit: number): boolean {
    return this.#bytes > limit && this.#entries.length > 1
  }

  #drop(): void {
    const entry = this.#entries.shift()
    if (!entry) return
    this.#bytes -= this.#sizes.get(entry) ?? 0
    this.#sizes.delete(entry)
  }

  /** Notes a change with the request that caused it. */
  note(change: Change, cause: number | undefined): void {
    const entry = this.#entryOf(cause)
    if (!entry || entry.changes.length >= changeLimit) return
    // Only the journal itself adds to the list that it shows.
    const changes = entry.changes as Change[]
    changes.push(change)
    this.grow(entry, entryBytes)
  }

  /** Notes the error of a due event with the request that caused it. */
  noteFailure(message: string, cause: number | undefined): void {
    const entry = this.#entryOf(cause)
    if (!entry || entry.failures.length >= changeLimit) return
    // As above.
    const failures = entry.failures as string[]
    failures.push(message)
    this.grow(entry, entryBytes)
  }

  /** Notes events with the request that caused them; `eventAt` makes one of them by its place. */
  noteEvents(
    count: number,
    eventAt: (index: number) => EmittedEvent,
    cause: number | undefined,
  ): void {
    // As above.
    const events = this.#entryOf(cause)?.events as EmittedEvent[] | undefined
    const room = events ? changeLimit - events.length : 0
    for (let index = 0; index < Math.min(count, room); index += 1) events?.push(eventAt(index))
  }

  #entryOf(cause: number | undefined): JournalEntry | undefined {
    const first = this.#entries[0]?.number ?? 0
    return cause === undefined ? undefined : this.#entries[cause - first]
  }
}
