import { ownFields } from '../../../shared/own-fields.ts'
import type { CallEffect } from '../../errors/service-error.ts'
import type { HeaderPair } from '../../headers.ts'
import type { PreparedRequest } from '../prepare-request.ts'
import type { RunningCall } from '../running-call.ts'

/**
 * Whether the platform's own fetch sends a request again after a 421. Node's does, as the Fetch standard requires, unless
 * the body is a stream.
 */
const resendsAfter421 = globalThis.process?.versions?.undici !== undefined

/**
 * Whether the platform's own fetch sends a request again when its connection ends without a response, although the service may
 * have handled it. Deno's does, unless the body is a stream or a Blob.
 */
const resendsAfterLostResponse = 'Deno' in globalThis

/** Methods that Bun sends again when a connection ends without a response. */
const methodsResentByBun = new Set('Bun' in globalThis ? ['PUT', 'DELETE'] : [])

/**
 * Returns whether the platform must send a request only once. On Deno, this includes idempotent calls, because the error of a
 * second request would hide that the first one was sent.
 */
export function isSentOnce(effect: CallEffect): boolean {
  return effect === 'non-idempotent' || (resendsAfterLostResponse && effect !== 'read-only')
}

/** Returns whether the platform may have sent a request before the one that failed, with an effect. */
export function mayBeResent({ effect, request }: RunningCall): boolean {
  return effect !== 'read-only' && methodsResentByBun.has(request.method)
}

/** A body that the platform sends once, and the headers of its request. */
export interface SingleUseBody {
  body: ReadableStream<Uint8Array> | Blob | string | undefined
  headers: readonly HeaderPair[]
}

/** Creates a body that the platform sends once. A stream needs a Content-Length, so that it is not sent in chunks. */
export function createSingleUseBody({ body: text, headers }: PreparedRequest): SingleUseBody {
  if (!resendsAfter421)
    return { body: resendsAfterLostResponse ? new Blob([text ?? '']) : text, headers }
  const bytes = new TextEncoder().encode(text ?? '')
  const body = new ReadableStream(
    ownFields<UnderlyingDefaultSource<Uint8Array>>({
      start(controller) {
        if (bytes.byteLength > 0) controller.enqueue(bytes)
        controller.close()
      },
    }),
  )
  return { body, headers: [...headers, ['content-length', String(bytes.byteLength)]] }
}
