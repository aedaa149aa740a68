import type { IncomingMessage, ServerResponse } from 'node:http'
import { encodeBody, type SerializedResponse } from '../base/response.ts'
import type { Target } from '../control/target.ts'
import type { Exchange } from '../faults/effects.ts'
import { bodyTooLarge } from '../http/request.ts'

const none = new URLSearchParams()

/** Takes a request apart. HEAD is answered as its GET; Node leaves the body out. */
export function targetOf({ method = 'GET', url = '/', headers }: IncomingMessage): Target {
  const target = url.startsWith('/') ? url : pathOfAbsolute(url)
  const mark = target.indexOf('?')
  return {
    method: method === 'HEAD' ? 'GET' : method,
    url: target,
    path: mark < 0 ? target : target.slice(0, mark),
    search: mark < 0 ? none : new URLSearchParams(target.slice(mark + 1)),
    // Of all headers only `set-cookie` would be a list, and no request has it.
    headers: headers as Record<string, string>,
  }
}

/** A client that takes the server for its proxy asks for whole URLs. */
function pathOfAbsolute(url: string): string {
  if (!URL.canParse(url)) return '/'
  const { pathname, search } = new URL(url)
  return pathname + search
}

/**
 * The text of the body; undefined without one.
 *
 * @throws {Refusal} 413 when it has more bytes than `limit`.
 */
export async function textOf(request: IncomingMessage, limit: number): Promise<string | undefined> {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
  if (length === '0' && encoding === undefined) return undefined
  if (Number(length) > limit) throw bodyTooLarge(limit)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) reject(bodyTooLarge(limit))
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(Buffer.concat(chunks).toString()))
    request.on('error', reject)
  })
}

/** Aborts when the client leaves before it has its answer. */
export function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  response.on('close', () => {
    if (!response.writableEnded) controller.abort()
  })
  return controller.signal
}

/** Sends an answer, or breaks the connection. */
export function send(exchange: Exchange, response: ServerResponse): void {
  const { socket } = response
  if (exchange.kind === 'refused') socket?.resetAndDestroy()
  else if (exchange.kind === 'lost') socket?.destroy()
  else if (!response.destroyed) sendAnswer(exchange, response)
}

function sendAnswer(answer: SerializedResponse, response: ServerResponse): void {
  const { status, headers, body, cutAfter } = answer
  response.writeHead(status, headers)
  if (cutAfter === undefined) {
    response.end(body)
    return
  }
  response.flushHeaders()
  response.write(encodeBody(body).subarray(0, cutAfter))
  // Lets what is written get out first.
  response.socket?.destroySoon()
}

/**
 * Calls a function for all that came in a turn of the event loop, at its end. Waking a client for one answer costs as
 * much as making it; so the first one wakes it for all.
 */
export function together<T>(each: (item: T) => void): (item: T) => void {
  let items: T[] = []
  const run = () => {
    const now = items
    items = []
    for (const item of now) each(item)
  }
  return (item) => {
    items.push(item)
    if (items.length === 1) setImmediate(run)
  }
}
