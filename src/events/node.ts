import { EventError } from './errors.ts'
import { collected, type EventHandlerOptions, Receiver } from './handler.ts'
import type { RawBody } from './verify.ts'

/** What is needed of a request of node:http, Express or Fastify's raw one. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  method?: string | undefined
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** What a body parser before left; only bytes or text can be verified. */
  body?: unknown
}

/** What is needed of a response of node:http. */
export interface NodeResponse {
  statusCode: number
  /** Sets a header. */
  setHeader(name: string, value: string): unknown
  /** Sends the text, and ends. */
  end(text: string): unknown
}

/** A function that answers deliveries on node:http and Express. */
export type NodeEventReceiver = (request: NodeRequest, response: NodeResponse) => Promise<void>

/**
 * As `eventHandler`, for node:http and what is built on it. Behind a body parser the route needs the raw body, as of
 * `express.raw({ type: '*\/*' })`.
 *
 * @throws {EventError} `secret_invalid`
 * @example
 * createServer(nodeEventHandler({ secrets, on: {}, fallback: save })).listen(8080)
 */
export function nodeEventHandler(options: EventHandlerOptions): NodeEventReceiver {
  const receiver = new Receiver(options)
  return async (request, response) => {
    const { method = 'GET', headers } = request
    const { status, text } = await receiver.reply(method, headers, () =>
      bodyOf(request, receiver.maxBytes),
    )
    response.statusCode = status
    response.setHeader('content-type', 'text/plain')
    response.end(text)
  }
}

async function bodyOf(request: NodeRequest, limit: number): Promise<RawBody | undefined> {
  const { body } = request
  if (body === undefined) return collected(request, limit)
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  throw new EventError(
    'body_parsed',
    'The body was parsed before it came here: the signature is over its bytes. Use express.raw({ type: "*/*" }) for this route, before any JSON parser.',
  )
}
