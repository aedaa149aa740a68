import { settle } from '../../../src/contract/settle.ts'
import { deliveryTimeout } from '../../state/defaults.ts'
import type {
  DeadLetter,
  Delivery,
  DeliveryInterceptor,
  DeliveryTarget,
  Exchange,
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
  const sent = { headers: Object.fromEntries(request.headers), body: event.body }
  const begin = performance.now()
  const exchangeOf = (response?: Exchange['response']): Exchange => {
    return { duration: Math.round(performance.now() - begin), request: sent, response }
  }
  try {
    const response = await run(() => settle(target(request)))
    if (!response) return { error: 'no_response', exchange: exchangeOf() }
    const { status, headers } = response
    const body = await readStart(response, url !== null)
    return { status, exchange: exchangeOf({ status, headers: Object.fromEntries(headers), body }) }
  } catch {
    const failure = url === null ? 'threw' : 'no_response'
    return { error: signal?.aborted ? 'timeout' : failure, exchange: exchangeOf() }
  }
}

/** How many characters of the body of a response are kept. */
const keptCharacters = 4096

/** Returns the start of a body, and cancels the rest. The body of a handler is not read: it may never end. */
async function readStart({ body }: Response, isRead: boolean): Promise<string> {
  if (!isRead || !body) {
    await settle(body?.cancel())
    return ''
  }
  let text = ''
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      text += decoder.decode(next.value, { stream: true })
      if (text.length >= keptCharacters) break
    }
    await settle(reader.cancel())
  } catch {
    // The status came in time, so the delivery counts; what was read of the body is kept.
  }
  return text.slice(0, keptCharacters)
}
