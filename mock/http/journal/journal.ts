import type { EmittedEvent } from '../../events/outbox.ts'
import { type OperationPattern, operationMatcher } from '../../faults/operation-pattern.ts'
import { Fifo } from '../../shared/lists.ts'
import type { Change } from '../../state/collections/collection.ts'
import type { Har } from './har-format.ts'
import type { JournalEntry, JournalResponse } from './journal-entry.ts'

/** The maximum length of each list in an entry: changes, events and failures. */
const changeLimit = 1000

/** The approximate size, in bytes, of a change, or of an entry without its URL, headers and bodies. */
const entryBytes = 1024

function headerBytes(headers: Readonly<Record<string, string>>): number {
  let bytes = 0
  for (const name in headers) bytes += name.length + (headers[name]?.length ?? 0)
  return bytes
}

/** A class instead of an object literal, because deleting entries then frees more memory. */
class SizedEntry {
  readonly entry: JournalEntry
  bytes = 0

  constructor(entry: JournalEntry) {
    this.entry = entry
  }
}

interface JournalLimits {
  journalLimit: number
  journalBytes: number
}

/** A team's requests, in order. If a limit is exceeded, the journal deletes the oldest requests. */
export class Journal {
  readonly #limits: () => JournalLimits
  /** The stored requests. Their numbers are consecutive. */
  #stored = new Fifo<SizedEntry>()
  #bytes = 0
  #latestNumber = 0
  /** The number of the latest request when the journal was last cleared. */
  #cleared = 0

  constructor(limits: () => JournalLimits) {
    this.#limits = limits
  }

  /** The number of requests since the journal was last cleared, including deleted entries. */
  get count(): number {
    return this.#latestNumber - this.#cleared
  }

  /** Returns the stored requests for matching operations, oldest first. Default: every operation. */
  requests(pattern: OperationPattern = '*'): JournalEntry[] {
    const matches = operationMatcher(pattern)
    return this.#entries().filter(({ operation }) => matches(operation))
  }

  /** Returns the latest request for a matching operation, or undefined if there is none. Default: any operation. */
  last(pattern: OperationPattern = '*'): JournalEntry | undefined {
    const matches = operationMatcher(pattern)
    for (let index = this.#stored.length - 1; index >= 0; index -= 1) {
      const entry = this.#stored.at(index)?.entry
      if (entry && matches(entry.operation)) return entry
    }
    return undefined
  }

  /** Returns one line per request, such as `insurance.create 200` or `link.bulkImport lost`. */
  lines(pattern: OperationPattern = '*'): string[] {
    return this.requests(pattern).map(({ operation, method, response, outcome }) => {
      return `${operation ?? `${method} unknown`} ${response?.status ?? outcome}`
    })
  }

  /** Exports the requests as HAR 1.2, without secrets or health data. Query and body values are replaced with types. */
  async har(): Promise<Har> {
    const { exportHar } = await import('./har.ts')
    return exportHar(this.#entries())
  }

  /** Deletes all entries without restarting the numbering. */
  clear(): void {
    this.#stored = new Fifo()
    this.#bytes = 0
    this.#cleared = this.#latestNumber
  }

  /** Deletes all entries and restarts the numbering. */
  reset(): void {
    this.#latestNumber = 0
    this.clear()
  }

  /** Adds an entry for a new request. */
  open(
    facts: Pick<JournalEntry, 'operation' | 'method' | 'path' | 'at' | 'request'>,
  ): JournalEntry {
    this.#latestNumber += 1
    const entry: JournalEntry = {
      ...facts,
      request: { ...facts.request },
      number: this.#latestNumber,
      outcome: 'waiting',
      changes: [],
      events: [],
      faults: [],
      failures: [],
    }
    this.#stored.push(new SizedEntry(entry))
    this.grow(entry, entryBytes + facts.request.url.length + headerBytes(facts.request.headers))
    return entry
  }

  /**
   * @param bytes The size of the response body.
   * @internal
   */
  respond(entry: JournalEntry, response: JournalResponse, bytes: number): void {
    entry.outcome = 'responded'
    entry.response = { ...response }
    this.grow(entry, bytes + headerBytes(response.headers))
  }

  /**
   * Adds bytes to an entry's size. Deletes the oldest entries above a limit.
   *
   * @param bytes The number of bytes to add.
   */
  grow(entry: JournalEntry, bytes: number): void {
    const stored = this.#storedAt(entry.number)
    // The entry may have been deleted while its request was waiting.
    if (stored?.entry !== entry) return
    stored.bytes += bytes
    this.#bytes += bytes
    const { journalLimit, journalBytes } = this.#limits()
    while (this.#stored.length > journalLimit || this.#exceeds(journalBytes)) {
      this.#bytes -= this.#stored.shift()?.bytes ?? 0
    }
  }

  /** Returns whether the oldest request must be deleted to meet the size limit. The latest request is never deleted. */
  #exceeds(limit: number): boolean {
    return this.#bytes > limit && this.#stored.length > 1
  }

  /**
   * Adds a change to the entry of the request that caused it.
   *
   * @param cause The number of the request, or undefined for a change made by the test.
   */
  addChange(change: Change, cause: number | undefined): void {
    const entry = this.#entryOf(cause)
    if (!entry || entry.changes.length >= changeLimit) return
    // Only the journal may change the list.
    const changes = entry.changes as Change[]
    changes.push(change)
    this.grow(entry, entryBytes)
  }

  /** Adds a scheduled event's error to the request that caused the event. */
  addFailure(message: string, cause: number | undefined): void {
    const entry = this.#entryOf(cause)
    if (!entry || entry.failures.length >= changeLimit) return
    // See `addChange`.
    const failures = entry.failures as string[]
    failures.push(message)
    this.grow(entry, entryBytes)
  }

  /** Adds events to the entry of the request that caused them. `eventAt` creates the event with the given index. */
  addEvents(
    count: number,
    eventAt: (index: number) => EmittedEvent,
    cause: number | undefined,
  ): void {
    // See `addChange`.
    const events = this.#entryOf(cause)?.events as EmittedEvent[] | undefined
    const room = events ? changeLimit - events.length : 0
    for (let index = 0; index < Math.min(count, room); index += 1) events?.push(eventAt(index))
  }

  #entries(): JournalEntry[] {
    return this.#stored.list().map(({ entry }) => entry)
  }

  #entryOf(cause: number | undefined): JournalEntry | undefined {
    return cause === undefined ? undefined : this.#storedAt(cause)?.entry
  }

  #storedAt(number: number): SizedEntry | undefined {
    const first = this.#stored.first?.entry.number ?? 0
    return this.#stored.at(number - first)
  }
}
