import type { Change } from './collection.ts'
import type { Har } from './har.ts'
import { type OperationId, type OperationPattern, operationMatcher } from './operations.ts'
import type { EmittedEvent } from './outbox.ts'

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

/** The requests of a team, in order; the oldest are dropped beyond a limit. */
export class Journal {
  readonly #limit: () => number
  #entries: JournalEntry[] = []
  #count = 0

  constructor(limit: () => number) {
    this.#limit = limit
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
    }
    this.#entries.push(entry)
    if (this.#entries.length > this.#limit()) this.#entries.shift()
    return entry
  }

  /** Notes a change with the request that caused it. */
  note(change: Change, cause: number | undefined): void {
    const changes = this.#entryOf(cause)?.changes
    // Only the journal itself adds to the list that it shows.
    if (changes && changes.length < changeLimit) (changes as Change[]).push(change)
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
