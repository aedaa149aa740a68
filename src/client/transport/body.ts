/** The largest body that is held in memory, in bytes. Downloads are streamed and have no such limit. */
export const maxBodyBytes = 100 * 1024 * 1024

/** Thrown when a body is larger than {@link maxBodyBytes}. */
export class BodyTooLargeError extends Error {}

const decoder = new TextDecoder()

/** Reads the body of a response as a string. */
export class BodyReader {
  readonly #response: Response
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined

  constructor(response: Response) {
    this.#response = response
  }

  /**
   * Reads the whole body.
   *
   * @throws {BodyTooLargeError} when the body, or its content-length, is larger than {@link maxBodyBytes}.
   */
  async readText(): Promise<string> {
    const { body, headers } = this.#response
    if (!body) return ''
    try {
      if (Number(headers.get('content-length')) > maxBodyBytes) throw new BodyTooLargeError()
      this.#reader = body.getReader()
      return decoder.decode(await readBounded(this.#reader))
    } catch (error) {
      void this.cancel()
      throw error
    }
  }

  /** Frees the connection of a body that is not read to its end. Never rejects. */
  async cancel(): Promise<void> {
    await (this.#reader ? cancelQuietly(this.#reader) : cancelBody(this.#response))
  }
}

/** Reads all chunks as one. */
async function readBounded(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array> {
  const read: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return read.length === 1 && read[0] ? read[0] : concatenate(read, length)
    length += value.byteLength
    if (length > maxBodyBytes) throw new BodyTooLargeError()
    read.push(value)
  }
}

function concatenate(parts: Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.byteLength
  }
  return whole
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
