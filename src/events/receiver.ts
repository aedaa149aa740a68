import { parseBody, type RawBody } from './body.ts'
import { EventError } from './errors.ts'
import { notHandled, Once, type Reply } from './once.ts'
import { parseEvent } from './parse.ts'
import type { Settings } from './settings.ts'
import { type EventHeaders, verifyEvent } from './verify.ts'

/** Verifies, parses and handles deliveries: what Fetch and node:http share. */
export class Receiver {
  readonly #settings: Settings
  readonly #once: Once

  constructor(settings: Settings) {
    this.#settings = settings
    this.#once = new Once(settings.dedupe, (error) => this.report(error))
  }

  /** Returns the response to a request. Never rejects. */
  async reply(
    method: string,
    headers: EventHeaders,
    read: (limit: number) => Promise<RawBody | undefined>,
  ): Promise<Reply> {
    if (method !== 'POST') return { status: 405, text: 'Expected POST' }
    const { secrets, tolerance, maxBytes, listeners, fallback } = this.#settings
    try {
      const body = await read(maxBytes)
      if (body === undefined) return { status: 413, text: 'The body is too large' }
      const message = await verifyEvent(body, headers, secrets, { tolerance })
      const event = parseEvent(parseBody(body))
      const listener = listeners.get(event.event_type) ?? fallback
      return await this.#once.run(message.id, () => listener(event, message))
    } catch (error) {
      this.report(error)
      return refusal(error)
    }
  }

  /** Calls `onError`, and ignores whatever becomes of it: a promise of any kind may reject. */
  async report(error: unknown): Promise<void> {
    try {
      await this.#settings.onError(error)
    } catch {
      // The user's reporting must not change a response or end the process.
    }
  }
}

/** Everything but the fault of the sender is 500. */
const statuses: Partial<Record<string, number>> = {
  signature_missing: 401,
  signature_invalid: 401,
  timestamp_invalid: 401,
  event_invalid: 400,
}

function refusal(error: unknown): Reply {
  if (!(error instanceof EventError)) return notHandled
  const status = statuses[error.code]
  return status ? { status, text: error.code } : notHandled
}
