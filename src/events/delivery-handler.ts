import type { ServiceEvent } from '../contract/events.ts'
import { adopt } from '../shared/adopt.ts'
import { isObject } from '../shared/narrow.ts'
import { invalidArgument, readArgument } from './arguments.ts'
import { parseBody, type RawBody } from './body.ts'
import { Deduplicator, type DeliveryResponse, notHandledResponse } from './deduplicator.ts'
import { EventError } from './errors.ts'
import { parseEvent } from './parse.ts'
import type { DeliveryReport, HandlerSettings } from './settings.ts'
import { type EventHeaders, type VerifiedMessage, verifyEvent } from './verify.ts'

interface DeliveryRequest {
  method?: string | undefined
  headers: EventHeaders
}

/** Returns undefined if the body is larger than `limit` bytes. */
type BodyReader = (limit: number) => Promise<RawBody | undefined>

export class DeliveryHandler {
  readonly #settings: HandlerSettings
  readonly #deduplicator: Deduplicator

  constructor(settings: HandlerSettings) {
    this.#settings = settings
    this.#deduplicator = new Deduplicator(settings.dedupe, (error) => this.report(error))
  }

  /** Never rejects. */
  async respond(request: DeliveryRequest, read: BodyReader): Promise<DeliveryResponse> {
    const startedAt = performance.now()
    const seen: Pick<DeliveryReport, 'eventType' | 'age'> = {}
    const response = await this.#receive(request, read, seen)
    const { result } = response
    const duration = performance.now() - startedAt
    notify(() => this.#settings.onDelivery({ ...seen, result, duration }))
    return response
  }

  /** Verifies and handles a delivery. If it is valid, adds its event type and age to `seen`. */
  async #receive(
    request: DeliveryRequest,
    read: BodyReader,
    seen: Pick<DeliveryReport, 'eventType' | 'age'>,
  ): Promise<DeliveryResponse> {
    const { secrets, tolerance, maxBytes } = this.#settings
    const arrivedAt = Date.now()
    try {
      const { method, headers } = readArgument('the request', () => headOf(request))
      if (method !== 'POST') return { result: 'rejected', status: 405, text: 'Expected POST' }
      const body = await read(maxBytes)
      if (body === undefined)
        return { result: 'rejected', status: 413, text: 'The body is too large' }
      const message = await verifyEvent(body, headers, secrets, { tolerance })
      const event = parseEvent(parseBody(body))
      seen.eventType = event.event_type
      seen.age = Math.max(0, arrivedAt - message.timestamp.getTime())
      return await this.#handle(event, message)
    } catch (error) {
      this.report(error)
      return responseToError(error)
    }
  }

  #handle(event: ServiceEvent, message: VerifiedMessage): Promise<DeliveryResponse> {
    const { handling } = this.#settings
    const { id } = message
    if ('transaction' in handling) {
      const { dedupe, transaction } = handling
      return this.#deduplicator.runInTransaction(id, dedupe, (tx) =>
        transaction(tx, event, message),
      )
    }
    const listener = handling.listeners.get(event.event_type) ?? handling.fallback
    return this.#deduplicator.run(id, () => listener(event, message))
  }

  report(error: unknown): void {
    notify(() => this.#settings.onError(error))
  }
}

async function notify(callback: () => unknown): Promise<void> {
  try {
    await adopt(callback())
  } catch {
    // A callback's error must not change a response or end the process.
  }
}

/** Returns a request's method and headers. JavaScript callers may pass any value. */
function headOf(request: DeliveryRequest): DeliveryRequest {
  if (!isObject(request)) throw invalidArgument('the request', 'an object', request)
  const { method, headers } = request
  return { method: method ?? 'GET', headers }
}

/** The statuses for errors that the sender caused. Any other error results in a 500. */
const statuses: Partial<Record<string, number>> = {
  signature_missing: 401,
  signature_invalid: 401,
  timestamp_invalid: 401,
  event_invalid: 400,
}

function responseToError(error: unknown): DeliveryResponse {
  if (!(error instanceof EventError)) return notHandledResponse
  const status = statuses[error.code]
  return status ? { result: 'rejected', status, text: error.code } : notHandledResponse
}
