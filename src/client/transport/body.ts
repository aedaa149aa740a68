/** The largest body that is held in memory, in bytes. Downloads are streamed and have no such limit. */
export const maxBodyBytes = 100 * 1024 * 1024

/** Thrown when a body is larger than {@link maxBodyBytes}. */
export class BodyTooLargeError extends Error {}

/**
 * Reads a whole body as a string. An abort of `signal` cancels the body.
 *
 * @throws {BodyTooLargeError} when the body, or its content-length, is larger than `limit` bytes.
 */
export async function readText(
  response: Response,
  signal: AbortSignal,
  limit = maxBodyBytes,
): Promise<string> {
  if (!response.body) return ''
  if (Number(response.headers.get('content-length')) > limit) {
    await cancelBody(response)
    throw new BodyTooLargeError()
  }
  const reader = response.body.getReader()
  // The platform's own fetch does this by itself; a custom fetch may not.
  const cancel = () => void cancelQuietly(reader)
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return await readBounded(reader, limit)
  } catch (error) {
    cancel()
    throw error
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

async function readBounded(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  limit: number,
): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let read = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    read += value.byteLength
    if (read > limit) throw new BodyTooLargeError()
    text += decoder.decode(value, { stream: true })
  }
}

/** Frees the connection of a response whose body is not read. Never rejects. */
export async function cancelBody(response: Response): Promise<void> {
  try {
    const { body } = response
    // A locked body cannot be cancelled here; its reader does it.
    if (body && !body.locked) await body.cancel()
  } catch {
    // The body of a custom fetch may be of another type, such as a Node stream.
  }
}

/** Cancels a reader. Never rejects. */
async function cancelQuietly(reader: ReadableStreamDefaultReader): Promise<void> {
  try {
    await reader.cancel()
  } catch {
    // The error that ended the reading is the one to report.
  }
}

/** Yields the chunks of a stream; leaving the loop early cancels it. */
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
    if (!isDone) await cancelQuietly(reader)
    reader.releaseLock()
  }
}

/** Parses JSON; `isJson` is false when the string is not JSON. The parser's own error quotes it, so it is dropped. */
export function parseJson(text: string): { isJson: boolean; value: unknown } {
  if (text === '') return { isJson: true, value: undefined }
  try {
    return { isJson: true, value: JSON.parse(text) }
  } catch {
    return { isJson: false, value: text }
  }
}
