import { collect } from './body.ts'
import { EventError } from './errors.ts'
import { Receiver } from './receiver.ts'
import { type EventHandlerOptions, settingsOf } from './settings.ts'

/** A function that responds to deliveries. */
export type EventReceiver = (request: Request) => Promise<Response>

/**
 * Receives events on any Fetch-style server: verifies, parses, runs the listener of the event's type once for every
 * message, and responds so that the service delivers again exactly what was not handled. A duplicate of a handled message
 * gets 200 and runs nothing; one that arrives while the message is being handled gets the same response.
 *
 * @throws {EventError} `argument_invalid`, `secret_invalid`
 * @example
 * const receive = eventHandler({
 *   secrets,
 *   on: { 'daily.data.sleep.created': (event) => save(recordsOf(event)) },
 *   fallback: ({ event_type }) => console.log('not handled', event_type),
 * })
 * app.post('/events', (context) => receive(context.req.raw))
 */
export function eventHandler(options: EventHandlerOptions): EventReceiver {
  const receiver = new Receiver(settingsOf('eventHandler', options))
  return async (request) => {
    const { status, text } = await receiver.reply(request.method, request.headers, (limit) =>
      readBody(request, limit),
    )
    return new Response(text, { status, headers: { 'content-type': 'text/plain' } })
  }
}

/** Reads a body of at most so many bytes; returns undefined when it is larger. */
async function readBody(request: Request, limit: number): Promise<Uint8Array | undefined> {
  const { body, bodyUsed } = request
  if (bodyUsed) {
    throw new EventError('body_parsed', 'Expected a request whose body was not read yet.')
  }
  // A caller without types may mix up the two.
  if (body === undefined) {
    throw new EventError(
      'argument_invalid',
      'Expected a Request of the Fetch API. For node:http and Express use nodeEventHandler.',
    )
  }
  return body ? collect(body, limit) : new Uint8Array()
}
