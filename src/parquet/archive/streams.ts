/** Bytes in a buffer that is not shared. */
export type Bytes = Uint8Array<ArrayBuffer>
export type ByteStream = ReadableStream<Bytes>

/**
 * Decompresses one chunk at a time. Does not use `pipeThrough`, because decompression streams on Node would then read
 * far ahead.
 */
export function decompressGzip(compressed: ByteStream): ByteStream {
  const { readable, writable } = createGunzip()
  const reader = compressed.getReader()
  const writer = writable.getWriter()
  const feed = async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return writer.close()
      await writer.write(value)
    }
  }
  // Pass errors from each side to the other, even while a read is pending.
  feed().catch((error) => writer.abort(error).catch(() => {}))
  writer.closed.catch((error) => reader.cancel(error).catch(() => {}))
  return readable
}

/** Creates a gzip decompressor. On Node, zlib with large chunks is faster than DecompressionStream. */
function createGunzip(): ReadableWritablePair<Bytes, Bytes> {
  const { process } = globalThis
  const zlib = process?.getBuiltinModule?.('node:zlib')
  const stream = process?.getBuiltinModule?.('node:stream')
  if (!zlib || !stream) return new DecompressionStream('gzip')
  const options = { chunkSize: 256 * 1024, rejectGarbageAfterEnd: true }
  // Both sides of the duplex stream are bytes.
  const pair: unknown = stream.Duplex.toWeb(zlib.createGunzip(options))
  return pair as ReadableWritablePair<Bytes, Bytes>
}

export function tapStream(
  source: ByteStream,
  take: (chunk: Bytes) => void | Promise<void>,
  toError: (error: unknown) => unknown,
): ByteStream {
  const reader = source.getReader()
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) return controller.close()
          await take(value)
          controller.enqueue(value)
        } catch (error) {
          const mapped = toError(error)
          reader.cancel(mapped).catch(() => {})
          throw mapped
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

export class PartReader {
  readonly #reader: ReadableStreamDefaultReader<Bytes>
  #chunk: Bytes = new Uint8Array()

  constructor(stream: ByteStream) {
    this.#reader = stream.getReader()
  }

  /** Returns at least one and at most `longest` bytes, or undefined at the end of the stream. */
  async take(longest: number): Promise<Bytes | undefined> {
    while (this.#chunk.length === 0) {
      const { done, value } = await this.#reader.read()
      if (done) return undefined
      this.#chunk = value
    }
    const part = this.#chunk.subarray(0, longest)
    this.#chunk = this.#chunk.subarray(part.length)
    return part
  }

  /** Returns exactly `length` bytes, or undefined if fewer are left. */
  async takeAll(length: number): Promise<Bytes | undefined> {
    const whole = new Uint8Array(length)
    for (let at = 0; at < length; ) {
      const part = await this.take(length - at)
      if (!part) return undefined
      whole.set(part, at)
      at += part.length
    }
    return whole
  }

  /** Cancels the stream. Never rejects. */
  async cancel(): Promise<void> {
    await this.#reader.cancel(new DOMException('Reading ended.', 'AbortError')).catch(() => {})
  }
}
