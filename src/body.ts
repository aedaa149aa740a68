/** The greatest body that is held in memory, in bytes. Downloads are streamed and have no such limit. */
export const bodyLimit = 100 * 1024 * 1024

/** A body over {@link bodyLimit}. */
export class BodyTooLargeError extends Error {}

/** Reads a whole body as text and refuses one that is too large, announced or not. */
export function readText(response: Response, limit = bodyLimit): Promise<string> {
  const announced = Number(response.headers.get('content-length') ?? Number.NaN)
  if (announced > limit) return refuse(response)
  const isPlain = !response.headers.has('content-encoding')
  return isPlain && announced >= 0 ? response.text() : readBounded(response, limit)
}

async function refuse(response: Response): Promise<never> {
  await response.body?.cancel()
  throw new BodyTooLargeError()
}

async function readBounded(response: Response, limit: number): Promise<string> {
  if (!response.body) return ''
  const decoder = new TextDecoder()
  let text = ''
  let read = 0
  for await (const chunk of chunks(response.body)) {
    read += chunk.byteLength
    if (read > limit) throw new BodyTooLargeError()
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** The chunks of a stream; leaving the loop early cancels it. */
export async function* chunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  let isDone = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      isDone = done
      if (done) return
      yield value
    }
  } finally {
    if (!isDone) await reader.cancel().catch(() => {})
    reader.releaseLock()
  }
}

/** Parsed JSON; `isJson` is false where the text is none. The parser's own error quotes the text, so it is dropped. */
export function parseJson(text: string): { isJson: boolean; value: unknown } {
  if (text === '') return { isJson: true, value: undefined }
  try {
    return { isJson: true, value: JSON.parse(text) }
  } catch {
    return { isJson: false, value: text }
  }
}
