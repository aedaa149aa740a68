import { type EventHandlerOptions, nodeEventHandler } from '../../src/events/index.ts'
import { delivery, secret } from '../support/signed.ts'

export const event = { event_type: 'daily.data.sleep.created', user_id: 'user', data: { data: [] } }

export const otherSecret = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

export const ignore = () => {}

/** The parts of a signed delivery, with replaced headers. */
export async function signed(headers: Record<string, string> = {}) {
  const sent = await delivery(event)
  return { body: await sent.text(), headers: { ...Object.fromEntries(sent.headers), ...headers } }
}

/** A receiver on node:http, and what it reported. */
export function nodeReceiver(options: Partial<EventHandlerOptions> = {}) {
  const errors: unknown[] = []
  const handled: string[] = []
  const receive = nodeEventHandler({
    secrets: secret,
    on: {},
    fallback: (_, { id }) => handled.push(id),
    onError: (error) => errors.push(error),
    ...options,
  })
  return { receive, errors, handled }
}
