import { readChunk } from '../../shared/read-chunk.ts'
import { type ByteLimits, checkBytes, checkJsonSize } from '../../shared/response-limits.ts'
import { encodingOf, readContentLength } from '../watch-stream.ts'

const decoder = new TextDecoder()

export class BodyReader {
  readonly #response: Response
  #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined

  constructor(response: Response) {
    this.#response = response
  }

  /** Returns the body as a string. Rejects if the body exceeds `longest` bytes after content decoding. */
  async readText(longest: number): Promise<string> {
    const { body, headers } = this.#response
    if (!body) return ''
    try {
      const announced = readContentLength(headers)
      checkBytes(announced ?? 0, { longest })
      this.#reader = body.getReader()
      const encoded = encodingOf(headers) === undefined ? undefined : announced
      const bytes = await readBounded(this.#reader, { longest, encoded })
      const text = decoder.decode(bytes)
      checkJsonSize(bytes, text)
      return text
    } catch (error) {
      void this.cancel()
      throw error
    }
  }

  /** Frees the connection if the body has not been read completely. Never rejects. */
  async cancel(): Promise<void> {
    await (this.#reader ? cancelQuietly(this.#reader) : cancelBody(this.#response))
  }
}

/** Reads the body into one buffer, because many small chunks would take several times its size in memory. */
export async function readBounded(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  limits: ByteLimits,
): Promise<Uint8Array<ArrayBuffer>> {
  let whole: Uint8Array<ArrayBuffer> | undefined
  let length = 0
  for (;;) {
    const { done, value } = await readChunk(reader)
    if (done) return whole?.subarray(0, length) ?? new Uint8Array()
    checkBytes(length + value.byteLength, limits)
    // Most bodies are one chunk, which needs no copy.
    whole = whole ? append(whole, length, value) : value
    length += value.byteLength
  }
}

/** Appends a chunk to the buffer, or to a larger copy if the chunk does not fit. */
function append(whole: Uint8Array<ArrayBuffer>, length: number, chunk: Uint8Array) {
  const needed = length + chunk.byteLength
  const target = needed <= whole.length ? whole : new Uint8Array(needed * 2)
  if (target !== whole) target.set(whole.subarray(0, length))
  target.set(chunk, length)
  return target
}

/** Frees the connection of a response whose body is not read. Never rejects. */
export async function cancelBody(response: Response): Promise<void> {
  try {
    const { body } = response
    // A locked body cannot be cancelled here; its reader cancels it.
    if (body && !body.locked) await body.cancel()
  } catch {
    // A custom fetch may return a body of another type, such as a Node stream.
  }
}

async function cancelQuietly(reader: ReadableStreamDefaultReader): Promise<void> {
  try {
    await reader.cancel()
  } catch {
    // Ignore this error: the caller reports the one that ended the read.
  }
}

/** Yields a stream's chunks. Leaving the loop early cancels the stream. */
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

/** Parses JSON without throwing, because the parser's error would quote the string. */
export function parseJson(text: string): { isJson: boolean; value: unknown } {
  if (text === '') return { isJson: true, value: undefined }
  try {
    return { isJson: true, value: JSON.parse(text) }
  } catch {
    return { isJson: false, value: text }
  }
}
