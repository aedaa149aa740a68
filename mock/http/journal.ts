import { type OperationPattern, operationMatcher } from '../base/operations.ts'
import type { EmittedEvent } from '../events/outbox.ts'
import type { Change } from '../state/collection.ts'
import type { Har } from './har-format.ts'
import type { JournalEntry } from './journal-entry.ts'

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
