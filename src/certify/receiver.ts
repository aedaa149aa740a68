import { adopt } from '../shared/adopt.ts'
import { createKeptRequest } from '../shared/kept-request.ts'
import type { EventMessage, MessageHeaders } from './message.ts'

export type ReceiverReply =
  | { status: number }
  | { failure: 'timeout' | 'threw' | 'no connection' | 'no Response' }

/** A receiver that runs in this process. */
export type ReceiverHandler = (request: Request) => Response | Promise<Response>

export interface Target {
  url: string
  send: ReceiverHandler
  isRemote: boolean
}

/**
 * The maximum number of response bytes to read. Each chunk adds at least `chunkBytes`, so endless empty chunks also
 * reach the limit.
 */
const maxBytes = 1_048_576
const chunkBytes = 1_024

const handlerUrl = 'https://receiver.test/events'

export function receiverTarget(receiver: { url: string } | { handler: ReceiverHandler }): Target {
  return 'handler' in receiver
    ? { url: handlerUrl, send: receiver.handler, isRemote: false }
    : { url: receiver.url, send: (request) => globalThis.fetch(request), isRemote: true }
}

/** Sends a message once. The promise never rejects. Aborting `signal` closes the connection. */
export async function deliver(
  { url, send, isRemote }: Target,
  { body, headers }: { body: EventMessage['body']; headers: MessageHeaders },
  timeout: number,
  signal?: AbortSignal,
): Promise<ReceiverReply> {
  // `AbortSignal.timeout` would not keep the process alive while a handler hangs.
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), timeout)
  const abort = signal ? AbortSignal.any([limit.signal, signal]) : limit.signal
  const init = { method: 'POST', headers, body, redirect: 'manual', signal: abort } as const
  try {
    const reply = readReply(async () => send(createKeptRequest(url, init)))
    return await untilAborted(abort, reply)
  } catch {
    if (limit.signal.aborted) return { failure: 'timeout' }
    return { failure: isRemote ? 'no connection' : 'threw' }
  } finally {
    clearTimeout(timer)
  }
}

async function readReply(send: () => Response | Promise<Response>): Promise<ReceiverReply> {
  const response = await adopt(send())
  if (typeof response?.status !== 'number') return { failure: 'no Response' }
  await skipBody(response.body)
  return { status: response.status }
}

/** Reads the body so the connection can be reused. */
async function skipBody(body: Response['body'] | undefined): Promise<void> {
  const reader = body?.getReader()
  if (!reader) return
  for (let bytes = 0; bytes < maxBytes; ) {
    const { done, value } = await reader.read()
    if (done) return
    bytes += Math.max(chunkBytes, Object(value).byteLength ?? 0)
  }
  // Do not await the cancellation, which may never complete.
  reader.cancel().catch(() => {})
}

/** Rejects when the signal aborts, even if a handler ignores the signal. */
function untilAborted<T>(signal: AbortSignal, result: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** Returns whether the status is 2xx, which the service treats as success (assumption). */
export function isAccepted(reply: ReceiverReply): boolean {
  return 'status' in reply && reply.status >= 200 && reply.status < 300
}

export function isTimeout(reply: ReceiverReply): boolean {
  return 'failure' in reply && reply.failure === 'timeout'
}

export function describeReply(reply: ReceiverReply, timeout: number): string {
  if ('status' in reply) return `status ${reply.status}`
  if (reply.failure === 'timeout') return `no response within ${timeout} ms`
  if (reply.failure === 'threw') return 'an error that the handler threw'
  if (reply.failure === 'no Response') return 'a result that is not a Response'
  return 'no response: the connection failed or was closed'
}
