import type { ParsedTarEntry } from 'modern-tar'
import type { ArchiveErrorCode } from '../../client/errors/error-codes.ts'
import { ArchiveError, limitProblem } from './errors.ts'
import { type ArchiveLimits, isBomb } from './limits.ts'

type Bytes = Uint8Array<ArrayBuffer>
type ByteStream = ReadableStream<Bytes>

/** Settings for reading an archive. */
export interface Reading {
  limits: ArchiveLimits
  /** Creates the error for an archive that cannot be used. */
  fail: (code: ArchiveErrorCode, problem: string, cause?: unknown) => ArchiveError
  /** Receives every chunk of the archive; reading waits for it. */
  tap?: ((chunk: Bytes) => Promise<void>) | undefined
}

/** An entry of a tar archive. Read or skip its bytes before the next entry. */
export interface TarEntry {
  name: string
  type: string
  size: number
  stream: ByteStream
  /** Skips the unread bytes; reading them later rejects. */
  skip: () => Promise<void>
}

/** Reads a gzipped tar as a stream, with only a few chunks in memory. */
export class TarReader {
  readonly #reading: Reading
  readonly #aborting = new AbortController()
  readonly #expandedStream: ByteStream
  #entries: ReadableStreamDefaultReader<ParsedTarEntry> | undefined
  #head: number[] = []
  #compressed = 0
  #expanded = 0
  /** The first error, because a chain of streams replaces errors by others. */
  #first: { error: unknown } | undefined

  constructor(archive: ByteStream, reading: Reading) {
    this.#reading = reading
    const compressed = tapStream(archive, this.#takeCompressed, this.#keep)
    this.#expandedStream = tapStream(decompressGzip(compressed), this.#takeExpanded, this.#damage)
  }

  /** Returns the next entry; undefined at the end of a valid archive. */
  async next(): Promise<TarEntry | undefined> {
    this.#entries ??= await this.#start()
    const { value: entry } = await this.#entries.read().catch((error) => {
      throw this.#damage(error)
    })
    if (!entry) return undefined
    const { name, type = 'file', size } = entry.header
    return { name, type, size, ...entryStream(entry.body as ByteStream, this.#damage) }
  }

  /** Cancels reading and frees the connection. */
  cancel(): void {
    this.#aborting.abort()
  }

  async #start() {
    const { createTarDecoder } = await import('modern-tar')
    const { readable, writable } = createTarDecoder({ strict: true })
    // Reading entries reports the errors of the pipe.
    this.#expandedStream.pipeTo(writable, { signal: this.#aborting.signal }).catch(() => {})
    return readable.getReader()
  }

  readonly #takeCompressed = async (chunk: Bytes): Promise<void> => {
    const { limits, fail, tap } = this.#reading
    const head = [...this.#head, ...chunk.subarray(0, 2)].slice(0, 2)
    if (!gzipHead.every((byte, at) => at >= head.length || head[at] === byte)) {
      throw fail('archive_not_gzip', 'is not gzip data. Check baseUrl, or the file that you opened')
    }
    this.#head = head
    this.#compressed += chunk.byteLength
    if (this.#compressed > limits.maxBytes) {
      const limit = `${limits.maxBytes} bytes`
      throw fail('archive_too_large', limitProblem('has more than', limit, 'maxBytes'))
    }
    await tap?.(chunk)
  }

  readonly #takeExpanded = (chunk: Bytes): void => {
    const { limits, fail } = this.#reading
    this.#expanded += chunk.byteLength
    if (this.#expanded > limits.maxExpandedBytes) {
      const limit = `${limits.maxExpandedBytes} bytes`
      throw fail(
        'archive_too_large',
        limitProblem('unpacks to more than', limit, 'maxExpandedBytes'),
      )
    }
    if (isBomb(this.#expanded, this.#compressed, limits)) {
      const limit = `${limits.maxExpansion} times its size`
      throw fail('archive_too_large', limitProblem('unpacks to more than', limit, 'maxExpansion'))
    }
  }

  readonly #keep = (error: unknown): unknown => {
    this.#first ??= { error }
    return this.#first.error
  }

  /** Returns the first error; without an earlier one, the archive is damaged. */
  readonly #damage = (error: unknown): unknown => {
    if (this.#first || error instanceof ArchiveError) return this.#keep(error)
    return this.#keep(
      this.#reading.fail('archive_damaged', 'is truncated or corrupt. Request it again.', error),
    )
  }
}

const gzipHead = [0x1f, 0x8b]

/**
 * Decompresses gzip, one chunk at a time. `pipeThrough` would not wait: on Node, a decompression stream requests thousands
 * of chunks ahead.
 */
function decompressGzip(compressed: ByteStream): ByteStream {
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
  // Passes errors to the other end, also while a read is pending.
  feed().catch((error) => writer.abort(error).catch(() => {}))
  writer.closed.catch((error) => reader.cancel(error).catch(() => {}))
  return readable
}

/** Creates a decompression stream. On Node, zlib with large chunks is faster than DecompressionStream. */
function createGunzip(): ReadableWritablePair<Bytes, Bytes> {
  const { process } = globalThis
  const zlib = process?.getBuiltinModule?.('node:zlib')
  const stream = process?.getBuiltinModule?.('node:stream')
  if (!zlib || !stream) return new DecompressionStream('gzip')
  const options = { chunkSize: 256 * 1024, rejectGarbageAfterEnd: true }
  // Both sides of the duplex are bytes.
  const pair: unknown = stream.Duplex.toWeb(zlib.createGunzip(options))
  return pair as ReadableWritablePair<Bytes, Bytes>
}

/** Returns a stream of the same bytes that calls `take` for each chunk and maps errors with `toError`. */
function tapStream(
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

/** Returns the bytes of an entry, and `skip`, after which reading rejects instead of ending early. */
function entryStream(body: ByteStream, toError: (error: unknown) => unknown) {
  let isSkipped = false
  const reader = body.getReader()
  const stream: ByteStream = new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch((error) => {
          throw toError(error)
        })
        if (isSkipped)
          throw new TypeError(
            'Read each file before you request the next one: the rest of the earlier file was skipped',
          )
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => reader.cancel(),
    },
    { highWaterMark: 0 },
  )
  const skip = async () => {
    isSkipped = true
    await reader.cancel().catch(() => {})
  }
  return { stream, skip }
}
