import { adopt } from '../../../src/shared/adopt.ts'
import { lazy } from '../../../src/shared/memo.ts'
import { readChunk } from '../../../src/shared/read-chunk.ts'
import { orAbort } from '../../shared/abort.ts'
import { startPlatformTimer, Timer } from '../../state/clock/connection-clock.ts'
import { deliveryTimeout } from '../../state/defaults.ts'
import type {
  DeadLetter,
  Delivery,
  DeliveryTarget,
  Exchange,
  SendAttempt,
  SendHooks,
  SendResult,
} from './deliveries.ts'
import type { DeliveryPort } from './delivery-port.ts'
import type { Flaws } from './message.ts'

export interface Destination {
  /** The URL, or null for a handler. */
  url: string | null
  secret: string
  /** The handler, or the function that sends requests. */
  target: DeliveryTarget
}

const loadMessages = lazy(() => import('./message.ts'))

/** A handler has no URL, but its requests need one. */
const handlerUrl = 'https://receiver.test/events'

export interface OutgoingAttempt {
  /** The event, or the message to redeliver. */
  event: DeadLetter
  destination: Destination
  flaws: Flaws
  /** The webhook's id. */
  webhook: string
  /** The attempt number, starting at 1. */
  attempt: number
}

/** Sends an attempt's message: once, or as the interceptor decides. */
export function sendAttempt(
  { event, destination, flaws, webhook, attempt }: OutgoingAttempt,
  { clock, interceptDelivery }: DeliveryPort,
): Promise<SendResult> {
  // `body` is created on each read, and copying the event would read it.
  const { number, id, event_type } = event
  const send: SendAttempt = (body = event.body, hooks = {}) =>
    sendMessage({ number, id, event_type, body }, destination, flaws, { clock, ...hooks })
  if (!interceptDelivery) return send()
  const { body } = event
  return interceptDelivery({ webhook, number, id, event_type, attempt, body }, send)
}

/** Returns the result of an attempt. A lost response is reported as a timeout. */
export function deliveryResult(
  sent: SendResult,
  isLost: boolean,
): Pick<Delivery, 'outcome' | 'status' | 'error'> {
  const { status, error } = isLost ? { error: 'timeout' as const } : sent
  const isDelivered = status !== undefined && status >= 200 && status < 300
  return { outcome: isDelivered ? 'delivered' : 'failed', status, error }
}

async function sendMessage(
  event: DeadLetter,
  { url, secret, target }: Destination,
  flaws: Flaws,
  { clock, isReady, onResponse }: SendHooks & { clock: DeliveryPort['clock'] },
): Promise<SendResult> {
  const limit = new AbortController()
  const { signal } = limit
  const timer = new Timer(() => limit.abort())
  const { createMessage } = await loadMessages()
  const isHandler = url === null
  const sentSignal = isHandler ? undefined : signal
  const receiver = { url: url ?? handlerUrl, secret }
  const { request, headers: sentHeaders } = await createMessage(receiver, event, flaws, sentSignal)
  const sent = { headers: sentHeaders, body: event.body }
  const begin = performance.now()
  const exchangeOf = (response?: Exchange['response']): Exchange => {
    return { duration: Math.round(performance.now() - begin), request: sent, response }
  }
  timer.start(() => startPlatformTimer(deliveryTimeout, timer.end))
  // Virtual time pauses during a delivery, unless the receiver waits for virtual time to pass.
  const onWait = () => timer.start(() => clock.startTimer(deliveryTimeout, timer.end))
  try {
    await isReady?.()
    const respond = () => {
      const responding = target(request)
      if (onResponse) watchResponse(responding, onResponse)
      return orAbort(adopt(responding), signal)
    }
    const response = await clock.runHandler(respond, onWait)
    if (!response) return { error: 'no_response', exchange: exchangeOf() }
    const { status, headers } = response
    const body = isHandler ? discard(response) : await readStart(response, signal)
    return { status, exchange: exchangeOf({ status, headers: Object.fromEntries(headers), body }) }
  } catch {
    const failure = isHandler ? 'threw' : 'no_response'
    return { error: signal.aborted ? 'timeout' : failure, exchange: exchangeOf() }
  } finally {
    timer.stop()
  }
}

/** Calls `onResponse` when the response arrives, before `sendMessage` continues. */
function watchResponse(
  responding: ReturnType<DeliveryTarget>,
  onResponse: (status: number) => void,
): void {
  Promise.resolve(responding).then(
    ({ status }) => onResponse(status),
    () => {},
  )
}

/** The maximum length of a stored response body, in characters. */
const keptCharacters = 4096

/** Cancels the body without waiting, because `cancel` may never settle. */
function discard({ body }: Response): string {
  adopt(body?.cancel()).catch(() => {})
  return ''
}

async function readStart({ body }: Response, signal: AbortSignal): Promise<string> {
  if (!body) return ''
  let text = ''
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const read = () => orAbort(readChunk(reader), signal)
  try {
    for (let next = await read(); !next.done; next = await read()) {
      text += decoder.decode(next.value, { stream: true })
      if (text.length >= keptCharacters) break
    }
  } catch {
    // The status arrived in time, so the attempt has a result. Keep the part of the body that was read.
  }
  reader.cancel().catch(() => {})
  return text.slice(0, keptCharacters)
}
