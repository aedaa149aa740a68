import { withoutAddedFields } from '../shared/own-fields.ts'
import { readChunks } from './body.ts'
import { DeliveryHandler } from './delivery-handler.ts'
import { EventError } from './errors.ts'
import {
  type EventHandlerOptions,
  parseHandlerOptions,
  type TransactionHandlerOptions,
} from './settings.ts'

/** Responds to event deliveries. */
export type EventReceiver = (request: Request) => Promise<Response>

/**
 * Receives events on any Fetch-style server: verifies and parses each delivery, and calls the listener for its type
 * once per message. The response makes the service retry only unhandled messages. A duplicate of a handled message
 * receives 200, and no listener is called. A duplicate of a message in progress receives the same response or, without
 * `transaction`, 503 while another receiver handles it.
 *
 * @throws {EventError} `argument_invalid` for an invalid option, `secret_invalid` for an invalid secret.
 * @example
 * const receive = eventHandler({
 *   secrets,
 *   on: { 'daily.data.sleep.created': (event) => save(recordsOf(event)) },
 *   fallback: ({ event_type }) => console.log('not handled', event_type),
 * })
 * app.post('/events', (context) => receive(context.req.raw))
 */
export function eventHandler<Transaction>(
  options: EventHandlerOptions | TransactionHandlerOptions<Transaction>,
): EventReceiver {
  const handler = new DeliveryHandler(parseHandlerOptions('eventHandler', options))
  return async (request) => {
    const { status, text } = await handler.respond(request, (limit) => readBody(request, limit))
    const init = { status, headers: { 'content-type': 'text/plain' } }
    return withoutAddedFields(() => new Response(text, init))
  }
}

async function readBody(request: Request, limit: number): Promise<Uint8Array | undefined> {
  const { body, bodyUsed } = request
  if (bodyUsed) {
    throw new EventError(
      'body_parsed',
      'Expected a request whose body has not been read. Call the handler before anything else reads the body, or pass it request.clone().',
    )
  }
  // JavaScript callers may pass a node:http request.
  if (body === undefined) {
    throw new EventError(
      'argument_invalid',
      'Expected a Fetch API Request. For node:http and Express, use nodeEventHandler.',
    )
  }
  return body ? readChunks(body, limit) : new Uint8Array()
}
