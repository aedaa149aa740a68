import { settle } from '../../../src/contract/settle.ts'
import { deliveryTimeout } from '../../state/defaults.ts'
import type { DeadLetter, DeliveryTarget, SendResult } from './deliveries.ts'
import type { Flaws } from './message.ts'

/** Where a message is sent. */
export interface Destination {
  /** Null for a handler. */
  url: string | null
  /** The secret that signs the message. */
  secret: string
  /** The handler, or the function that sends requests. */
  target: DeliveryTarget
}

/** The URL of the requests that handlers receive. */
const handlerUrl = 'https://receiver.test/events'

/** Sends a message once; `run` calls the target. */
export async function sendMessage(
  event: DeadLetter,
  { url, secret, target }: Destination,
  flaws: Flaws,
  run: (call: () => Response | Promise<Response>) => Promise<Response | undefined>,
): Promise<SendResult> {
  const signal = url === null ? undefined : AbortSignal.timeout(deliveryTimeout)
  const { createMessage } = await import('./message.ts')
  const request = await createMessage(url ?? handlerUrl, event, secret, flaws, signal)
  try {
    const response = await run(() => settle(target(request)))
    if (!response) return { error: 'no_response' }
    await settle(response.body?.cancel())
    return { status: response.status }
  } catch {
    if (signal?.aborted) return { error: 'timeout' }
    return { error: url === null ? 'threw' : 'no_response' }
  }
}
