/**
 * Whether the platform's own fetch sends a request again after a 421 without asking. Node's does, as the Fetch standard
 * says, unless the body is a stream.
 */
const sendsAgain = globalThis.process?.versions?.undici !== undefined

/** The body of a request that must not be sent twice, and its headers. */
export interface OnceBody {
  body: ReadableStream<Uint8Array> | string | undefined
  headers: Record<string, string>
}

/** A body that the platform sends once. Its length is announced, so that it is not sent in chunks. */
export function sentOnce(text: string | undefined): OnceBody {
  if (!sendsAgain) return { body: text, headers: {} }
  const bytes = new TextEncoder().encode(text ?? '')
  const body = new ReadableStream({
    start(controller) {
      if (bytes.byteLength > 0) controller.enqueue(bytes)
      controller.close()
    },
  })
  return { body, headers: { 'content-length': String(bytes.byteLength) } }
}
