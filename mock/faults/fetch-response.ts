import { encodeBody, hasBody, type SerializedResponse } from '../http/response.ts'
import type { ConnectionFailure, ExchangeResult } from './effects.ts'

/** @throws {TypeError} For a connection failure, as `fetch` in Node.js does. */
export function toFetchResponse(exchange: ExchangeResult): Response {
  if (exchange.kind !== 'response') throw connectionError(exchange)
  const { status, headers, body, cutAfter } = exchange
  const sent = cutAfter === undefined ? body : cutBody(body, cutAfter)
  return new Response(hasBody(status) ? sent : null, { status, headers })
}

function connectionError({ kind }: ConnectionFailure): TypeError {
  const refusal = { code: 'ECONNREFUSED', syscall: 'connect' }
  const cause =
    kind === 'refused'
      ? Object.assign(new Error('connect ECONNREFUSED'), refusal)
      : closedConnection()
  return new TypeError('fetch failed', { cause })
}

function closedConnection(): Error {
  return Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })
}

function cutBody(body: SerializedResponse['body'], cutAfter: number): ReadableStream<Uint8Array> {
  let isSent = false
  return new ReadableStream({
    pull(controller) {
      if (isSent) controller.error(new TypeError('terminated', { cause: closedConnection() }))
      else controller.enqueue(encodeBody(body).slice(0, cutAfter))
      isSent = true
    },
  })
}
