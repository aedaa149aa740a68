import type { Socket } from 'node:net'
import { type Behaviour, respondWith } from './scripted-server.ts'

/** Behaviours of a server that violates HTTP, in addition to those in scripted-server.ts. */

/** Resets the connection after the request. */
export const reset: Behaviour = (_, request) => {
  request.socket.resetAndDestroy()
}

/** Sends raw bytes, then closes the connection. */
export function sendRaw(...parts: (string | Buffer)[]): Behaviour {
  return (_, request) => {
    for (const part of parts) request.socket.write(part)
    request.socket.end()
  }
}

/** Sends bytes that are not HTTP. */
export const garbage = sendRaw(Buffer.from(Array.from({ length: 512 }, (_, at) => (at * 37) % 256)))

/** Sends a response whose body does not match its `content-length`, and keeps the connection open. */
export function wrongLength(body: unknown, difference: number): Behaviour {
  return (response) => {
    const text = JSON.stringify(body)
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': String(Math.max(0, text.length + difference)),
    })
    response.end(text)
  }
}

/** Closes the connection in the middle of a chunked body. */
export function cutChunks(body: unknown): Behaviour {
  return (response) => {
    const text = JSON.stringify(body)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write(text.slice(0, text.length / 2), () => response.destroy())
  }
}

/** Sends informational responses (103, 102, 100) before another behaviour. */
export function informFirst(then: Behaviour): Behaviour {
  return (response, request) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' })
    response.writeProcessing()
    response.writeEarlyHints({ link: '</script.js>; rel=preload' })
    then(response, request)
  }
}

/** Responds with a header of `length` characters. */
export function hugeHeader(body: unknown, length: number): Behaviour {
  return respondWith(200, body, { 'x-huge': 'x'.repeat(length) })
}

/** Sends an uncompressed body with the header `content-encoding: gzip`. */
export function falseGzip(body: unknown): Behaviour {
  return respondWith(200, body, { 'content-encoding': 'gzip' })
}

/** Responds on a keep-alive connection and closes it immediately. */
export function closeAfter(body: unknown): Behaviour {
  return (response, request) => {
    response.once('finish', () => request.socket.destroy())
    respondWith(200, body)(response, request)
  }
}

const used = new WeakSet<Socket>()

/** Responds to the first request of a connection, and resets the connection at the second one. */
export function resetWhenReused(body: unknown): Behaviour {
  return (response, request) => {
    const { socket } = request
    if (used.has(socket)) socket.resetAndDestroy()
    else respondWith(200, body)(response, request)
    used.add(socket)
  }
}
