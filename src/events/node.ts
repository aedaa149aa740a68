import { bytesOf, collect } from './body.ts'
import { Receiver } from './receiver.ts'
import { type EventHandlerOptions, settingsOf } from './settings.ts'

/** What is needed of a request of node:http, Express or Fastify's raw one. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  method?: string | undefined
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The body as a body parser left it; only bytes or a string can be verified. */
  body?: unknown
}

/** What is needed of a response of node:http. */
export interface NodeResponse {
  statusCode: number
  /** Whether another handler, such as one for timeouts, has responded. */
  readonly headersSent?: boolean | undefined
  /** Sets a header. */
  setHeader(name: string, value: string): unknown
  /** Sends the text, and ends. */
  end(text: string): unknown
  /** Adds a listener for errors of the connection. */
  on?(event: 'error', listener: (error: unknown) => void): unknown
}

/** A function that responds to deliveries on node:http and Express. Never rejects. */
export type NodeEventReceiver = (request: NodeRequest, response: NodeResponse) => Promise<void>

/**
 * Receives events as `eventHandler` does, on node:http and what is built on it. Behind a body parser the route needs the
 * raw body, as of `express.raw({ type: '*\/*' })`.
 *
 * @throws {EventError} `argument_invalid`, `secret_invalid`
 * @example
 * createServer(nodeEventHandler({ secrets, on: {}, fallback: save })).listen(8080)
 */
export function nodeEventHandler(options: EventHandlerOptions): NodeEventReceiver {
  const receiver = new Receiver(settingsOf('nodeEventHandler', options))
  return async (request, response) => {
    // An error event without a listener ends the process.
    response.on?.('error', (error) => receiver.report(error))
    const { method = 'GET', headers } = request
    const { status, text } = await receiver.reply(method, headers, (limit) =>
      readBody(request, limit),
    )
    try {
      if (response.headersSent) return
      response.statusCode = status
      response.setHeader('content-type', 'text/plain')
      response.end(text)
    } catch (error) {
      receiver.report(error)
    }
  }
}

/** Reads a body of at most so many bytes; returns undefined when it is larger. */
async function readBody(request: NodeRequest, limit: number): Promise<Uint8Array | undefined> {
  const { body } = request
  if (body !== undefined) {
    const bytes = bytesOf(body)
    return bytes.length > limit ? undefined : bytes
  }
  const chunks = request[Symbol.asyncIterator]()
  // Without `return`, which destroys the request before its end.
  const rest = { [Symbol.asyncIterator]: () => ({ next: () => chunks.next() }) }
  const bytes = await collect(rest, limit)
  // What is not read would block the connection for the next request.
  if (bytes === undefined) for await (const _ of rest);
  return bytes
}
