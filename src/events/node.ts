import { isObject } from '../shared/narrow.ts'
import { hasField } from '../shared/own-fields.ts'
import { invalidArgument } from './arguments.ts'
import { readChunks, toBytes } from './body.ts'
import { DeliveryHandler } from './delivery-handler.ts'
import {
  type EventHandlerOptions,
  parseHandlerOptions,
  type TransactionHandlerOptions,
} from './settings.ts'

/** The parts of a node:http or Express request, or of Fastify's raw request, that the handler uses. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  /** The HTTP method, such as `POST`. */
  method?: string | undefined
  /** The headers, with lower-case names. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The body, if a body parser has read it. Only bytes and strings can be verified. */
  body?: unknown
  /** Whether the stream has been read to the end. */
  readonly readableEnded?: boolean | undefined
}

/** The parts of a node:http response that the handler uses. */
export interface NodeResponse {
  /** The HTTP status to send. */
  statusCode: number
  /** Whether another handler, such as a timeout handler, has already responded. */
  readonly headersSent?: boolean | undefined
  /** Sets a header. */
  setHeader(name: string, value: string): unknown
  /** Sends the body and ends the response. */
  end(body: string): unknown
  /** Adds a listener for connection errors. */
  on?(event: 'error', listener: (error: unknown) => void): unknown
}

/** Responds to event deliveries on node:http and Express. Never rejects. */
export type NodeEventReceiver = (request: NodeRequest, response: NodeResponse) => Promise<void>

/**
 * Like `eventHandler`, but for node:http and frameworks such as Express. If a body parser runs first, it must preserve
 * the raw body, as `express.raw({ type: '*\/*' })` does.
 *
 * @throws {EventError} `argument_invalid` for an invalid option, `secret_invalid` for an invalid secret.
 * @example
 * createServer(nodeEventHandler({ secrets, on: {}, fallback: save })).listen(8080)
 */
export function nodeEventHandler<Transaction>(
  options: EventHandlerOptions | TransactionHandlerOptions<Transaction>,
): NodeEventReceiver {
  const handler = new DeliveryHandler(parseHandlerOptions('nodeEventHandler', options))
  return async (request, response) => {
    try {
      if (!isObject(response)) {
        throw invalidArgument('the response', 'a node:http response', response)
      }
      // An `error` event without a listener ends the process.
      response.on?.('error', (error) => handler.report(error))
      const { status, text } = await handler.respond(request, (limit) => readBody(request, limit))
      if (response.headersSent) return
      response.statusCode = status
      response.setHeader('content-type', 'text/plain')
      response.end(text)
    } catch (error) {
      handler.report(error)
    }
  }
}

async function readBody(request: NodeRequest, limit: number): Promise<Uint8Array | undefined> {
  const body = hasField(request, 'body') ? request.body : undefined
  // Some parsers, such as Fastify's, keep the body elsewhere.
  if (body !== undefined || request.readableEnded) {
    const bytes = toBytes(body)
    return bytes.length > limit ? undefined : bytes
  }
  const chunks = request[Symbol.asyncIterator]()
  // `rest` has no `return` method: a loop that ends early would call it and destroy the request.
  const rest = { [Symbol.asyncIterator]: () => ({ next: () => chunks.next() }) }
  const bytes = await readChunks(rest, limit)
  // An unread remainder would block the connection for the next request.
  if (bytes === undefined) for await (const _ of rest);
  return bytes
}
