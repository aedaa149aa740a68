import type { KnownEvent, KnownEventType, ServiceEvent } from '../contract/events.ts'
import { type DedupeStore, memoryStore } from './dedupe.ts'
import { EventError } from './errors.ts'
import { parseEvent } from './parse.ts'
import {
  checkedSecrets,
  type EventHeaders,
  type RawBody,
  type VerifiedMessage,
  verifyEvent,
} from './verify.ts'

/** Handles an event. When it throws, the delivery is answered 500, so that the service delivers again. */
export type EventListener<Event extends ServiceEvent = ServiceEvent> = (
  event: Event,
  message: VerifiedMessage,
) => unknown

/** The event of a type. */
export type EventOf<Type extends KnownEventType> = MemberOf<KnownEvent, Type>
type MemberOf<Event, Type> = Event extends { event_type: infer Types }
  ? Type extends Types
    ? Event & { event_type: Type }
    : never
  : never

/** Options of {@link eventHandler}. */
export interface EventHandlerOptions {
  /** One secret, or several while they are rotated. */
  secrets: string | readonly string[]
  /** A listener for each type that you handle. */
  on: { [Type in KnownEventType]?: EventListener<EventOf<Type>> }
  /** Everything else: known types without a listener, and types that this version of the package does not know. */
  fallback: EventListener
  /** Remembers what was handled. Default: {@link memoryStore}, which serves one process. */
  dedupe?: DedupeStore | undefined
  /** As for {@link verifyEvent}. */
  tolerance?: number | undefined
  /** The largest body in bytes; a larger one is answered 413. Default: 10 MiB. */
  maxBytes?: number | undefined
  /** Told why a delivery was not answered 200: an {@link EventError}, or what a listener threw. */
  onError?: ((error: unknown) => void) | undefined
}

/** The answer to a delivery. */
export interface Reply {
  status: number
  text: string
}

/**
 * Receives events on any server that speaks Fetch: verifies, parses, runs the listener of the event's type once for every
 * message, and answers so that the service delivers again exactly what was not handled. A duplicate of a message that was
 * handled is answered 200 and runs nothing; one that comes while it is being handled shares its answer.
 *
 * @throws {EventError} `secret_invalid`
 * @example
 * const receive = eventHandler({
 *   secrets,
 *   on: { 'daily.data.sleep.created': (event) => save(recordsOf(event)) },
 *   fallback: ({ event_type }) => console.log('not handled', event_type),
 * })
 * app.post('/events', (context) => receive(context.req.raw))
 */
export function eventHandler(options: EventHandlerOptions): EventReceiver {
  const receiver = new Receiver(options)
  return async (request) => {
    const { status, text } = await receiver.reply(request.method, request.headers, () =>
      bodyOf(request, receiver.maxBytes),
    )
    return new Response(text, { status, headers: { 'content-type': 'text/plain' } })
  }
}

/** A function that answers deliveries. */
export type EventReceiver = (request: Request) => Promise<Response>

/** The part that Fetch and node:http share. */
export class Receiver {
  readonly maxBytes: number
  readonly #options: EventHandlerOptions
  readonly #store: DedupeStore
  /** Messages being handled here, so that a second delivery shares the answer of the first. */
  readonly #running = new Map<string, Promise<Reply>>()

  constructor(options: EventHandlerOptions) {
    if (typeof options.fallback !== 'function') {
      throw new TypeError('eventHandler: expected a fallback, a function for every other event')
    }
    this.#options = options
    this.#store = options.dedupe ?? memoryStore()
    this.maxBytes = options.maxBytes ?? 10 * 1024 * 1024
    checkedSecrets(options.secrets)
  }

  async reply(
    method: string,
    headers: EventHeaders,
    read: () => Promise<RawBody | undefined>,
  ): Promise<Reply> {
    if (method !== 'POST') return { status: 405, text: 'Expected POST' }
    try {
      const body = await read()
      if (body === undefined) return { status: 413, text: 'The body is too large' }
      const { secrets, tolerance } = this.#options
      const message = await verifyEvent(body, headers, secrets, { tolerance })
      return await this.#once(message, parseEvent(parsed(body)))
    } catch (error) {
      this.#tell(error)
      return refusal(error)
    }
  }

  #once(message: VerifiedMessage, event: ServiceEvent): Promise<Reply> {
    const running = this.#running.get(message.id)
    if (running) return running
    const reply = this.#handle(message, event).finally(() => this.#running.delete(message.id))
    this.#running.set(message.id, reply)
    return reply
  }

  async #handle(message: VerifiedMessage, event: ServiceEvent): Promise<Reply> {
    const claim = await this.#store.claim(message.id)
    if (claim === 'done') return { status: 200, text: 'Handled before' }
    if (claim === 'busy') return { status: 503, text: 'Being handled elsewhere' }
    try {
      await this.#listener(event)(event, message)
    } catch (error) {
      this.#tell(error)
      await this.#store.release(message.id)
      return { status: 500, text: 'Not handled' }
    }
    try {
      await this.#store.finish(message.id)
    } catch (error) {
      // It is handled all the same; any other answer would have it delivered and handled again.
      this.#tell(error)
    }
    return { status: 200, text: 'Handled' }
  }

  #listener(event: ServiceEvent): EventListener {
    const { on, fallback } = this.#options
    const type = event.event_type as KnownEventType
    // A listener is called with events of its own type only.
    return Object.hasOwn(on, type)
      ? ((on[type] as EventListener | undefined) ?? fallback)
      : fallback
  }

  #tell(error: unknown): void {
    try {
      this.#options.onError?.(error)
    } catch {
      // Whoever listens to errors has no say in the answer.
    }
  }
}

function refusal(error: unknown): Reply {
  if (!(error instanceof EventError)) return { status: 500, text: 'Not handled' }
  const isOurs = error.code === 'secret_invalid' || error.code === 'body_parsed'
  if (isOurs) return { status: 500, text: 'Not handled' }
  return { status: error.code === 'event_invalid' ? 400 : 401, text: error.code }
}

function parsed(body: RawBody): unknown {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own error quotes the text.
    throw new EventError('event_invalid', 'Expected the event to be JSON.', '')
  }
}

/** A body of at most so many bytes; undefined when it is larger. */
async function bodyOf(request: Request, limit: number): Promise<Uint8Array | undefined> {
  if (request.bodyUsed) {
    throw new EventError('body_parsed', 'Expected a request whose body was not read yet.')
  }
  return request.body ? collected(request.body, limit) : new Uint8Array()
}

/** Chunks put together; undefined when they are more than `limit` bytes. */
export async function collected(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.byteLength
    if (length > limit) return undefined
    parts.push(chunk)
  }
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}
