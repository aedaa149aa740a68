import type { ParsedTarEntry } from 'modern-tar'
import { ArchiveError, type ArchiveErrorCode } from './errors.ts'
import { type ArchiveLimits, isBomb } from './limits.ts'

type Bytes = Uint8Array<ArrayBuffer>
type ByteStream = ReadableStream<Bytes>

/** How an archive is read. */
export interface Reading {
  limits: ArchiveLimits
  /** Makes the error of an archive that cannot be used. */
  fail: (code: ArchiveErrorCode, problem: string, cause?: unknown) => ArchiveError
  /** Given every chunk of the archive as it comes; reading waits for it. */
  tap?: ((chunk: Bytes) => Promise<void>) | undefined
}

/** An entry of a tar archive. Its bytes must be read or left before the next entry comes. */
export interface Entry {
  name: string
  type: string
  size: number
  stream: ByteStream
  /** Skips what is unread; reading it later rejects. */
  leave: () => Promise<void>
}

/** A gzipped tar while it is unpacked: each byte is looked at as it comes, and no more than a few chunks are held. */
export class Unpacking {
  readonly #reading: Reading
  readonly #leaving = new AbortController()
  readonly #expandedStream: ByteStream
  #entries: ReadableStreamDefaultReader<ParsedTarEntry> | undefined
  #head: number[] = []
  #compressed = 0
  #expanded = 0
  /** What went wrong first: on their way through a chain of streams errors become others. */
  #first: { error: unknown } | undefined

  constructor(archive: ByteStream, reading: Reading) {
    this.#reading = reading
    const compressed = passing(archive, this.#takeCompressed, this.#keep)
    this.#expandedStream = passing(gunzipped(compressed), this.#takeExpanded, this.#damage)
  }

  /** The next entry; undefined when the archive has come to a good end. */
  async next(): Promise<Entry | undefined> {
    this.#entries ??= await this.#start()
    const { value: entry } = await this.#entries.read().catch((error) => {
      throw this.#damage(error)
    })
    if (!entry) return undefined
    const { name, type = 'file', size } = entry.header
    return { name, type, size, ...whileCurrent(entry.body as ByteStream, this.#damage) }
  }

  /** Gives up what has not come yet, and frees the connection. */
  leave(): void {
    this.#leaving.abort()
  }

  async #start() {
    const { createTarDecoder } = await import('modern-tar')
    const { readable, writable } = createTarDecoder({ strict: true })
    // What breaks the pipe is told by the entries.
    this.#expandedStream.pipeTo(writable, { signal: this.#leaving.signal }).catch(() => {})
    return readable.getReader()
  }

  readonly #takeCompressed = async (chunk: Bytes): Promise<void> => {
    const { limits, fail, tap } = this.#reading
    const head = [...this.#head, ...chunk.subarray(0, 2)].slice(0, 2)
    if (!gzipHead.every((byte, at) => at >= head.length || head[at] === byte)) {
      throw fail('archive_not_gzip', 'is no gzip')
    }
    this.#head = head
    this.#compressed += chunk.byteLength
    if (this.#compressed > limits.maxBytes) {
      throw fail('archive_too_large', `has more than ${limits.maxBytes} bytes (maxBytes)`)
    }
    await tap?.(chunk)
  }

  readonly #takeExpanded = (chunk: Bytes): void => {
    const { limits, fail } = this.#reading
    this.#expanded += chunk.byteLength
    if (this.#expanded > limits.maxExpandedBytes) {
      const limit = `${limits.maxExpandedBytes} bytes (maxExpandedBytes)`
      throw fail('archive_too_large', `unpacks to more than ${limit}`)
    }
    if (isBomb(this.#expanded, this.#compressed, limits)) {
      const limit = `${limits.maxExpansion} times its size (maxExpansion)`
      throw fail('archive_too_large', `unpacks to more than ${limit}`)
    }
  }

  readonly #keep = (error: unknown): unknown => {
    this.#first ??= { error }
    return this.#first.error
  }

  /** The error to tell when unpacking broke; unless something else is its reason, the archive is damaged. */
  readonly #damage = (error: unknown): unknown => {
    if (this.#first || error instanceof ArchiveError) return this.#keep(error)
    return this.#keep(this.#reading.fail('archive_damaged', 'is truncated or corrupt', error))
  }
}

const gzipHead = [0x1f, 0x8b]

/**
 * Unpacks gzip, one chunk at a time. `pipeThrough` would not wait: on Node a stream of decompression asks for thousands of
 * chunks ahead.
 */
function gunzipped(compressed: ByteStream): ByteStream {
  const { readable, writable } = gunzip()
  const reader = compressed.getReader()
  const writer = writable.getWriter()
  const feed = async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return writer.close()
      await writer.write(value)
    }
  }
  // What broke one end is told at the other, also while it waits for a source that stalls.
  feed().catch((error) => writer.abort(error).catch(() => {}))
  writer.closed.catch((error) => reader.cancel(error).catch(() => {}))
  return readable
}

/** On Node the platform's own stream is the same, but hands on chunks so small that this takes most of its time. */
function gunzip(): ReadableWritablePair<Bytes, Bytes> {
  const { process } = globalThis
  const zlib = process?.getBuiltinModule?.('node:zlib')
  const stream = process?.getBuiltinModule?.('node:stream')
  if (!zlib || !stream) return new DecompressionStream('gzip')
  const options = { chunkSize: 256 * 1024, rejectGarbageAfterEnd: true }
  // A duplex of bytes takes and gives nothing else.
  const pair: unknown = stream.Duplex.toWeb(zlib.createGunzip(options))
  return pair as ReadableWritablePair<Bytes, Bytes>
}

/** The same bytes, each chunk taken note of before it passes; errors become what `broken` makes of them. */
function passing(
  source: ByteStream,
  take: (chunk: Bytes) => void | Promise<void>,
  broken: (error: unknown) => unknown,
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
          const told = broken(error)
          reader.cancel(told).catch(() => {})
          throw told
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

/** An entry's bytes; once it is left, reading rejects instead of ending early. */
function whileCurrent(body: ByteStream, broken: (error: unknown) => unknown) {
  let isLeft = false
  const reader = body.getReader()
  const stream: ByteStream = new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch((error) => {
          throw broken(error)
        })
        if (isLeft) throw new TypeError('Read each file before you ask for the next one')
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => reader.cancel(),
    },
    { highWaterMark: 0 },
  )
  const leave = async () => {
    isLeft = true
    await reader.cancel().catch(() => {})
  }
  return { stream, leave }
}
