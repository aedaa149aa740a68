import { settle } from '../../../src/contract/settle.ts'
import { deliveryTimeout } from '../../state/defaults.ts'
import type {
  DeadLetter,
  Delivery,
  DeliveryInterceptor,
  DeliveryTarget,
  SendAttempt,
  SendResult,
} from './deliveries.ts'
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

/** An attempt to deliver an event. */
export interface OutgoingAttempt {
  /** The event, or the message of a redelivery. */
  event: DeadLetter
  /** Where it is sent. */
  destination: Destination
  /** What is wrong with the message. */
  flaws: Flaws
  /** The id of the webhook. */
  webhook: string
  /** 1 for the first attempt. */
  attempt: number
}

/** What sending needs of a team. */
export interface SendContext {
  /** The clock that knows which handlers run. */
  readonly clock: {
    runHandler(call: () => Response | Promise<Response>): Promise<Response | undefined>
  }
  /** Decides how attempts are sent. */
  readonly interceptDelivery?: DeliveryInterceptor | undefined
}

/** Sends an attempt: once, or as the interceptor decides. */
export function sendAttempt(
  { event, destination, flaws, webhook, attempt }: OutgoingAttempt,
  { clock, interceptDelivery }: SendContext,
): Promise<SendResult> {
  // A body is made on each reading, and a copy of the event would read it.
  const { number, id, event_type } = event
  const send: SendAttempt = (body = event.body, isReady) =>
    sendMessage({ number, id, event_type, body }, destination, flaws, async (call) => {
      await isReady?.()
      return clock.runHandler(call)
    })
  if (!interceptDelivery) return send()
  const { body } = event
  return interceptDelivery({ webhook, number, event_type, attempt, body }, send)
}

/** Returns the result of a sent attempt: a lost response is one that did not come in time. */
export function resultOf(
  sent: SendResult,
  isLost: boolean,
): Pick<Delivery, 'outcome' | 'status' | 'error'> {
  const { status, error } = isLost ? { error: 'timeout' as const } : sent
  const isDelivered = status !== undefined && status >= 200 && status < 300
  return { outcome: isDelivered ? 'delivered' : 'failed', status, error }
}

/** Sends a message once; `run` calls the target. */
async function sendMessage(
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
