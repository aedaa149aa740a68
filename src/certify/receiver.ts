import { settle } from '../contract/settle.ts'
import type { Message, MessageHeaders } from './message.ts'

/** How a delivery ended: with a status, or without a response. */
export type Reply =
  | { status: number }
  | { failure: 'timeout' | 'threw' | 'no connection' | 'no Response' }

/** A receiver that runs in this process. */
export type ReceiverHandler = (request: Request) => Response | Promise<Response>

/** The receiver under test. */
export interface Target {
  url: string
  send: ReceiverHandler
  /** Whether requests go over the network. */
  isRemote: boolean
}

/** The URL of the requests that a handler receives. */
const handlerUrl = 'https://receiver.test/events'

/** Returns the receiver at a URL, or in this process. */
export function targetOf(receiver: { url: string } | { handler: ReceiverHandler }): Target {
  return 'handler' in receiver
    ? { url: handlerUrl, send: receiver.handler, isRemote: false }
    : { url: receiver.url, send: (request) => globalThis.fetch(request), isRemote: true }
}

/** Sends a message once. Never rejects; `signal` cuts the connection. */
export async function deliver(
  { url, send, isRemote }: Target,
  { body }: Pick<Message, 'body'>,
  headers: MessageHeaders,
  timeout: number,
  signal?: AbortSignal,
): Promise<Reply> {
  // `AbortSignal.timeout` would not keep the process alive while a handler hangs.
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), timeout)
  const abort = signal ? AbortSignal.any([limit.signal, signal]) : limit.signal
  const init: RequestInit = { method: 'POST', headers, body, redirect: 'manual', signal: abort }
  try {
    const reply = readReply(async () => send(new Request(url, init)))
    return await untilAborted(abort, reply)
  } catch {
    if (limit.signal.aborted) return { failure: 'timeout' }
    return { failure: isRemote ? 'no connection' : 'threw' }
  } finally {
    clearTimeout(timer)
  }
}

async function readReply(send: () => Response | Promise<Response>): Promise<Reply> {
  const response = await settle(send())
  if (typeof response?.status !== 'number') return { failure: 'no Response' }
  // Frees the connection for the next delivery.
  await response.arrayBuffer()
  return { status: response.status }
}

/** Rejects when a signal aborts first: handlers may ignore it. */
function untilAborted<T>(signal: AbortSignal, result: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** Whether the service counts a reply as success (assumption: any 2xx). */
export function isAccepted(reply: Reply): boolean {
  return 'status' in reply && reply.status >= 200 && reply.status < 300
}

/** Whether there was no response in time. */
export function isTimeout(reply: Reply): boolean {
  return 'failure' in reply && reply.failure === 'timeout'
}

/** Describes a reply for a message. */
export function describeReply(reply: Reply, timeout: number): string {
  if ('status' in reply) return `status ${reply.status}`
  if (reply.failure === 'timeout') return `no response within ${timeout} ms`
  if (reply.failure === 'threw') return 'an error that the handler threw'
  if (reply.failure === 'no Response') return 'a result that is not a Response'
  return 'no response: the connection failed or was cut'
}
