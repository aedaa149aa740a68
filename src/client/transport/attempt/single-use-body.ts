import { ownFields } from '../../../shared/own-fields.ts'
import type { HeaderPair } from '../../headers.ts'
import type { PreparedRequest } from '../prepare-request.ts'
import type { RunningCall } from '../running-call.ts'

/**
 * Whether the platform's own fetch resends a request after a 421. Node's fetch does, as the Fetch standard requires,
 * unless the body is a stream.
 */
const resendsAfter421 = globalThis.process?.versions?.undici !== undefined

/**
 * Whether the platform's own fetch resends a request if its connection ends without a response, although the service
 * may have processed the request. Deno's fetch does, unless the body is a stream or a Blob.
 */
const resendsAfterLostResponse = 'Deno' in globalThis

/** The methods whose requests Bun's fetch resends after a lost response, unless the body is a non-empty stream. */
const methodsResentByBun = new Set<string>('Bun' in globalThis ? ['PUT', 'DELETE'] : [])

export interface SingleUseBody {
  body: ReadableStream<Uint8Array> | Blob | string | undefined
  headers: readonly HeaderPair[]
}

/**
 * Returns whether a request needs a single-use body. If the platform resent a write, the second response would hide the
 * fact that the first request may have taken effect.
 */
export function isSentOnce({ effect, request }: Pick<RunningCall, 'effect' | 'request'>): boolean {
  if (effect === 'read-only') return false
  const isResent = resendsAfterLostResponse || methodsResentByBun.has(request.method)
  return effect === 'non-idempotent' || isResent
}

/**
 * Creates a body that the platform does not resend. A stream needs a Content-Length header to avoid chunked encoding.
 */
export function createSingleUseBody({
  body: text,
  headers,
  method,
}: PreparedRequest): SingleUseBody {
  if (!resendsAfter421 && !methodsResentByBun.has(method))
    return { body: resendsAfterLostResponse ? new Blob([text ?? '']) : text, headers }
  const bytes = new TextEncoder().encode(text ?? '')
  const body = new ReadableStream(
    ownFields<UnderlyingDefaultSource<Uint8Array>>({
      start(controller) {
        controller.enqueue(bytes)
        controller.close()
      },
    }),
  )
  return { body, headers: [...headers, ['content-length', String(bytes.byteLength)]] }
}
