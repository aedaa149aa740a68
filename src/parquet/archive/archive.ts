import { saveFile, unreadBody } from '../../client/download/save-file.ts'
import type { ErrorFacts } from '../../client/errors/service-error.ts'
import { ArchiveError, fileError, fileTooLargeError } from './errors.ts'
import { type ArchiveLimits, completeLimits, invalidLimit } from './limits.ts'
import { type Member, readMembers } from './members.ts'
import type { Reading } from './tar-reader.ts'

/**
 * The Parquet response to aggregate queries (specification 4.11), as a stream: a gzipped tar archive of `0.parquet`,
 * `1.parquet` and so on, one file per query. The connection stays open until you read or cancel the archive. You can
 * read it once, with `files()`, `tables(archive)`, `save()` or `stream`.
 *
 * @example
 * const archive = await client.aggregate.queryParquet(userId, request)
 * for await (const file of archive.files()) await file.save(file.name)
 */
export class ParquetArchive {
  /** The archive's bytes, unchecked. */
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>
  readonly #facts: ErrorFacts
  readonly #checkCount: CountCheck | undefined

  /** @internal */
  constructor(
    stream: ReadableStream<Uint8Array<ArrayBuffer>>,
    facts: ErrorFacts,
    checkCount?: CountCheck,
  ) {
    this.stream = stream
    this.#facts = facts
    this.#checkCount = checkCount
  }

  /**
   * Opens an existing archive, such as one you saved.
   *
   * @example
   * const archive = ParquetArchive.from(await openAsBlob('archive.tar.gz'))
   */
  static from(
    source: Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>,
  ): ParquetArchive {
    const facts = {
      operation: 'ParquetArchive',
      route: '',
      outcome: 'not-sent',
      attempts: [],
    } as const
    if (source instanceof ReadableStream) return new ParquetArchive(source, facts)
    const stream = source instanceof Blob ? source.stream() : streamOf(source)
    return new ParquetArchive(stream, facts)
  }

  /**
   * Iterates over the files in query order, without loading the whole archive. Read or save each file before you
   * request the next or leave the loop; otherwise, it is skipped. Files that arrive out of order are held in memory;
   * `maxHeldBytes` limits their total size. The archive is complete only if the iteration ends without an error.
   *
   * @throws {ArchiveError} when a limit is unknown or invalid, or when the archive is damaged, exceeds a limit,
   * contains entries other than Parquet files, or does not contain one file per query.
   * @throws {TypeError} when the archive has already been read or cancelled.
   */
  async *files(limits: Partial<ArchiveLimits> = {}): AsyncGenerator<ParquetFile> {
    const reading = this.#reading(limits)
    const stream = unreadBody(this.#facts.operation, this.stream)
    for await (const member of this.#members(stream, reading)) {
      yield new ParquetFile(member, this.#facts, reading.limits)
    }
  }

  /**
   * Checks the archive and writes it unchanged to a file. Works on Node, Bun and Deno. Writes to a temporary file
   * first, so the target file is always complete.
   *
   * @throws {ArchiveError} under the same conditions as {@link ParquetArchive.files}.
   * @throws {TypeError} when the archive has already been read or cancelled.
   */
  async save(path: string, limits: Partial<ArchiveLimits> = {}): Promise<void> {
    const reading = this.#reading(limits)
    await saveFile(this.#facts.operation, path, this.stream, async (stream, tap) => {
      for await (const _ of this.#members(stream, { ...reading, tap }));
    })
  }

  /**
   * Cancels the archive and frees the connection.
   *
   * @throws {TypeError} during and after a read of `files()` or `tables()`. To stop it, leave the loop or abort the
   * call's signal.
   */
  async cancel(): Promise<void> {
    await this.stream.cancel()
  }

  async *#members(
    stream: ReadableStream<Uint8Array<ArrayBuffer>>,
    reading: Reading,
  ): AsyncGenerator<Member> {
    let count = 0
    for await (const member of readMembers(stream, reading)) {
      count += 1
      yield member
    }
    const problem = this.#checkCount?.(count)
    if (problem !== undefined) throw reading.fail('archive_unexpected', problem)
  }

  #reading(limits: Partial<ArchiveLimits>): Reading {
    const fail: Reading['fail'] = (code, problem, cause) =>
      new ArchiveError(code, problem, { ...this.#facts, cause })
    const problem = invalidLimit(limits)
    if (problem !== undefined) {
      throw fail('archive_limit_invalid', `cannot be read, because the ${problem}`)
    }
    return { limits: completeLimits(limits), fail }
  }
}

/** Describes the problem with the number of files. Returns undefined if the number is correct. */
type CountCheck = (files: number) => string | undefined

/** Returns a stream of bytes. Avoids `Blob`, because its streams leak memory on Node. */
function streamOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0
  return new ReadableStream(
    {
      pull(controller) {
        if (at >= bytes.length) return controller.close()
        controller.enqueue(bytes.slice(at, at + chunkBytes))
        at += chunkBytes
      },
    },
    { highWaterMark: 0 },
  )
}

const chunkBytes = 64 * 1024

/**
 * A file in an archive. It contains the result of one query. Read it once, before you request the next file or leave
 * the loop.
 */
export class ParquetFile {
  /** The zero-based position of the query in the request. */
  readonly query: number
  /** The file name, such as `0.parquet`. */
  readonly name: string
  /** The size in bytes, according to the archive. */
  readonly size: number
  /** The file's bytes. */
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>
  /** @internal */
  readonly facts: ErrorFacts
  readonly #limits: ArchiveLimits

  /** @internal */
  constructor({ query, size, stream }: Member, facts: ErrorFacts, limits: ArchiveLimits) {
    this.query = query
    this.name = `${query}.parquet`
    this.size = size
    this.stream = stream
    this.facts = facts
    this.#limits = limits
  }

  /**
   * Reads all bytes into memory. Rejects files larger than `maxTableBytes`.
   *
   * @throws {ArchiveError} when the archive is damaged, or the file or archive exceeds a limit.
   * @throws {TypeError} when the file has already been read or skipped.
   */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const { maxTableBytes } = this.#limits
    if (this.size > maxTableBytes) {
      const cause = fileTooLargeError('has more bytes than', maxTableBytes, 'maxTableBytes')
      throw fileError(cause, this.name, this.facts)
    }
    const stream = unreadBody(this.facts.operation, this.stream)
    return new Uint8Array(await new Response(stream).arrayBuffer())
  }

  /**
   * Writes the bytes to a file, via a temporary file. Works on Node, Bun and Deno.
   *
   * @throws {ArchiveError} when the archive is damaged or exceeds a limit.
   * @throws {TypeError} when the file has already been read or skipped.
   */
  async save(path: string): Promise<void> {
    await saveFile(this.facts.operation, path, this.stream)
  }
}
