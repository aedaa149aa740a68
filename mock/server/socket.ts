import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { memo } from '../../src/shared/memo.ts'
import type { ExchangeResult } from '../faults/effects.ts'
import { bodyTooLarge, type RequestHead } from '../http/request/request.ts'
import type { SerializedResponse } from '../http/response.ts'
import { encodeBody } from '../http/response.ts'

const noSearch = new URLSearchParams()

/** Returns a request's head. HEAD becomes GET, because Node itself omits the response body. */
export function readHead({ method = 'GET', url = '/', headers }: IncomingMessage): RequestHead {
  const target = url.startsWith('/') ? url : relativeTarget(url)
  const mark = target.indexOf('?')
  return {
    method: method === 'HEAD' ? 'GET' : method,
    url: target,
    path: mark < 0 ? target : target.slice(0, mark),
    search: mark < 0 ? noSearch : new URLSearchParams(target.slice(mark + 1)),
    // Node returns a list only for `set-cookie`, which requests do not contain.
    headers: headers as Record<string, string>,
  }
}

/** Removes the origin from a request's URL. Clients send the origin if they use the server as a proxy. */
function relativeTarget(url: string): string {
  if (!URL.canParse(url)) return '/'
  const { pathname, search } = new URL(url)
  return pathname + search
}

/**
 * Reads a request's body. Returns undefined if the body is missing or empty.
 *
 * @throws {HttpError} 413 if the body has more bytes than `limit`.
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
): Promise<Buffer[] | undefined> | undefined {
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
    request.on('end', () => resolve(size > 0 ? chunks : undefined))
    request.on('error', reject)
  })
}

/** Returns a signal that aborts when the connection closes. All requests on a connection share the signal. */
export const disconnectSignal = memo((socket: Socket): AbortSignal => {
  const controller = new AbortController()
  socket.once('close', () => controller.abort())
  if (socket.destroyed) controller.abort()
  return controller.signal
})

export function sendResult(exchange: ExchangeResult, response: ServerResponse): void {
  const { socket } = response
  if (exchange.kind === 'refused') socket?.resetAndDestroy()
  else if (exchange.kind === 'lost') socket?.destroy()
  else if (!response.destroyed) sendResponse(exchange, response)
}

function sendResponse(
  { status, headers, body, cutAfter }: SerializedResponse,
  response: ServerResponse,
): void {
  response.writeHead(status, headers)
  if (cutAfter === undefined) {
    response.end(body)
    return
  }
  response.flushHeaders()
  response.write(encodeBody(body).subarray(0, cutAfter))
  // `destroySoon` sends the bytes written so far before it closes the connection.
  response.socket?.destroySoon()
}

/**
 * Returns a function that collects items and handles them together at the end of the event loop's turn. Waking a client
 * costs as much as handling one item, and a batch needs only one wake-up.
 */
export function batch<T>(handle: (item: T) => void): (item: T) => void {
  let items: T[] = []
  const run = () => {
    const current = items
    items = []
    for (const item of current) handle(item)
  }
  return (item) => {
    items.push(item)
    if (items.length === 1) setImmediate(run)
  }
}
