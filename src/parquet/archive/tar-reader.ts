import type { ArchiveErrorCode } from '../../client/errors/error-codes.ts'
import { ArchiveError, limitProblem } from './errors.ts'
import { type ArchiveLimits, archiveBounds, isBomb } from './limits.ts'
import { type ByteStream, type Bytes, decompressGzip, PartReader, tapStream } from './streams.ts'
import {
  blockSize,
  isZero,
  type PaxFields,
  parseHeader,
  parsePax,
  type TarHeader,
} from './tar-header.ts'

export interface Reading {
  limits: ArchiveLimits
  fail: (code: ArchiveErrorCode, problem: string, cause?: unknown) => ArchiveError
  /** Receives each compressed chunk. Reading waits for the returned promise. */
  tap?: ((chunk: Bytes) => Promise<void>) | undefined
}

/** An entry of an archive. Reading the next entry skips the unread bytes. */
export interface TarEntry {
  name: string
  type: 'file' | 'other'
  size: number
  stream: ByteStream
  /** Skips the unread bytes; reading them later rejects. */
  skip: () => Promise<void>
}

/** Reads a gzipped tar archive as a stream. Takes linear time, and holds only a few chunks in memory. */
export class TarReader {
  readonly #reading: Reading
  readonly #parts: PartReader
  #head: number[] = []
  #compressed = 0
  #expanded = 0
  /** The number of unread bytes in the current entry; `#padding` zeros follow them. */
  #left = 0
  #padding = 0
  #globals: PaxFields = {}
  /** The last operation. Operations run sequentially, because reading and skipping an entry must not overlap. */
  #turn: Promise<unknown> = Promise.resolve()
  /** The first error. It is stored because chained streams replace it with their own errors. */
  #first: { error: unknown } | undefined

  constructor(archive: ByteStream, reading: Reading) {
    this.#reading = reading
    const compressed = tapStream(archive, this.#takeCompressed, this.#keep)
    this.#parts = new PartReader(
      tapStream(decompressGzip(compressed), this.#takeExpanded, this.#damage),
    )
  }

  /** Returns the next entry, or undefined at the end of a valid archive. */
  async next(): Promise<TarEntry | undefined> {
    const header = await this.#inTurn(() => this.#nextHeader())
    if (!header) return undefined
    const { name, type, size } = header
    return { name, type: type === 'file' ? type : 'other', size, ...this.#openEntry() }
  }

  cancel(): void {
    this.#keep(new TypeError(unreadMessage))
    void this.#parts.cancel()
  }

  /** Returns the next entry's header, after applying the pax entries before it. */
  async #nextHeader(): Promise<TarHeader | undefined> {
    let fields: PaxFields = {}
    for (;;) {
      await this.#skip()
      const block = await this.#takeAll(blockSize)
      if (isZero(block)) return this.#readEnd()
      const header = parseHeader(block)
      if (header.type === 'file' || header.type === 'other') {
        const merged = { ...header, ...this.#globals, ...fields }
        this.#begin(merged.size)
        return merged
      }
      this.#begin(header.size)
      const found = parsePax(await this.#takePax(header.size))
      if (header.type === 'pax') fields = { ...fields, ...found }
      else this.#globals = { ...this.#globals, ...found }
    }
  }

  async #takePax(size: number): Promise<Bytes> {
    const { paxBytes } = archiveBounds
    if (size > paxBytes) {
      const problem = `has a pax header of more than ${paxBytes} bytes`
      throw this.#reading.fail('archive_unexpected', problem)
    }
    this.#left = 0
    return this.#takeAll(size)
  }

  #begin(size: number): void {
    this.#left = size
    this.#padding = (blockSize - (size % blockSize)) % blockSize
  }

  /** Checks the end of the archive: a second block of zeros, followed only by zeros. */
  async #readEnd(): Promise<undefined> {
    let rest: Bytes | undefined = await this.#takeAll(blockSize)
    for (; rest; rest = await this.#parts.take(chunkSize)) {
      if (!isZero(rest)) throw new Error('bytes after the end')
    }
    return undefined
  }

  async #skip(): Promise<void> {
    while (this.#left > 0) await this.#takeBody()
    await this.#takeAll(this.#padding)
    this.#padding = 0
  }

  async #takeBody(): Promise<Bytes | undefined> {
    if (this.#left === 0) return undefined
    const part = await this.#parts.take(this.#left)
    if (!part) throw new Error('truncated')
    this.#left -= part.length
    return part
  }

  async #takeAll(length: number): Promise<Bytes> {
    const bytes = await this.#parts.takeAll(length)
    if (!bytes) throw new Error('truncated')
    return bytes
  }

  async #inTurn<T>(read: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(read)
    this.#turn = turn.catch(() => {})
    return turn.catch((error) => {
      throw this.#damage(error)
    })
  }

  /** Returns the entry's stream. After `skip`, reading it rejects instead of ending early. */
  #openEntry(): Pick<TarEntry, 'stream' | 'skip'> {
    let isSkipped = false
    const read = async () => (isSkipped ? undefined : this.#takeBody())
    const pull = async (controller: ReadableStreamDefaultController<Bytes>) => {
      const part = await this.#inTurn(read)
      if (isSkipped) throw new TypeError(unreadMessage)
      if (part) controller.enqueue(part)
      else controller.close()
    }
    const skip = async () => {
      isSkipped = true
      await this.#inTurn(() => this.#skip())
    }
    return { stream: new ReadableStream({ pull }, { highWaterMark: 0 }), skip }
  }

  readonly #takeCompressed = async (chunk: Bytes): Promise<void> => {
    const { limits, fail, tap } = this.#reading
    const head = [...this.#head, ...chunk.subarray(0, 2)].slice(0, 2)
    if (!gzipHead.every((byte, at) => at >= head.length || head[at] === byte)) {
      throw fail('archive_not_gzip', 'is not gzip data. Check baseUrl or the file')
    }
    this.#head = head
    this.#compressed += chunk.byteLength
    if (this.#compressed > limits.maxBytes) {
      throw this.#tooLarge('has more than', `${limits.maxBytes} bytes`, 'maxBytes')
    }
    await tap?.(chunk)
  }

  readonly #takeExpanded = (chunk: Bytes): void => {
    const { limits } = this.#reading
    this.#expanded += chunk.byteLength
    if (this.#expanded > limits.maxExpandedBytes) {
      const limit = `${limits.maxExpandedBytes} bytes`
      throw this.#tooLarge('unpacks to more than', limit, 'maxExpandedBytes')
    }
    if (isBomb(this.#expanded, this.#compressed, limits)) {
      const limit = `${limits.maxExpansion} times its size`
      throw this.#tooLarge('unpacks to more than', limit, 'maxExpansion')
    }
  }

  #tooLarge(problem: string, limit: string, name: keyof ArchiveLimits): ArchiveError {
    return this.#reading.fail('archive_too_large', limitProblem(problem, limit, name))
  }

  readonly #keep = (error: unknown): unknown => {
    this.#first ??= { error }
    return this.#first.error
  }

  /** Reports an unexpected error as a damaged archive. */
  readonly #damage = (error: unknown): unknown => {
    if (this.#first || error instanceof ArchiveError) return this.#keep(error)
    return this.#keep(this.#reading.fail('archive_damaged', 'is truncated or corrupt', error))
  }
}

const gzipHead = [0x1f, 0x8b]
const chunkSize = 256 * 1024
const unreadMessage = 'The file was skipped. Read each file before you request the next one'
