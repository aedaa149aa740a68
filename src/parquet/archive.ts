import type { ErrorFacts } from '../client/errors/service-error.ts'
import { saveFile } from '../client/save-file.ts'
import { ArchiveError } from './errors.ts'
import { type ArchiveLimits, defaultLimits } from './limits.ts'
import { type Member, members } from './members.ts'
import type { Reading } from './unpack.ts'

/**
 * The answer to aggregate queries as Parquet (specification 4.11): a gzipped tar of `0.parquet`, `1.parquet` and so on,
 * one for each query, read as it comes. It is read once: with `files()`, with `tables(archive)`, with `save()` or through
 * `stream`; or cancel it: until then it holds a connection.
 *
 * @example
 * const archive = await client.aggregate.queryParquet(userId, request)
 * for await (const file of archive.files()) await file.save(file.name)
 */
export class ParquetArchive {
  /** The bytes of the archive as they come, unchecked. */
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
   * Opens an archive that you have already, such as one that was saved.
   *
   * @example
   * const archive = ParquetArchive.from(await openAsBlob('answers.tar.gz'))
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
   * Walks the files in the order of their queries, 10 after 9, in constant memory: read or save each before you ask for
   * the next one, or it is skipped. A file that comes before its turn is held, up to `maxHeldBytes`. Only when the walk
   * ends without an error the archive is known to be whole. Leaving the walk early frees the connection.
   *
   * @throws {ArchiveError} when the archive is damaged, beyond a limit, holds anything else, or has not one file for each
   * query of the call that it answers.
   */
  async *files(limits: Partial<ArchiveLimits> = {}): AsyncGenerator<ParquetFile> {
    for await (const member of this.#members(this.#reading(limits))) {
      yield new ParquetFile(member, this.#facts)
    }
  }

  /**
   * Writes the archive as it is to a file, on Node, Bun and Deno, and checks it on the way. The file is complete or not
   * there: it is written beside its place and then moved.
   *
   * @throws {ArchiveError} when the archive is damaged, beyond a limit, or holds anything but Parquet files.
   */
  async save(path: string, limits: Partial<ArchiveLimits> = {}): Promise<void> {
    const write = async (tap: (chunk: Uint8Array<ArrayBuffer>) => Promise<void>) => {
      for await (const _ of this.#members({ ...this.#reading(limits), tap }));
    }
    await saveFile(path, this.stream, write)
  }

  /** Gives the archive up and frees its connection. */
  async cancel(): Promise<void> {
    await this.stream.cancel()
  }

  /** The files; when they have all come, their number is checked. */
  async *#members(reading: Reading): AsyncGenerator<Member> {
    let count = 0
    for await (const member of members(this.stream, reading)) {
      count += 1
      yield member
    }
    const problem = this.#checkCount?.(count)
    if (problem !== undefined) throw reading.fail('archive_unexpected', problem)
  }

  #reading(limits: Partial<ArchiveLimits>): Reading {
    return {
      limits: { ...defaultLimits, ...limits },
      fail: (code, problem, cause) => new ArchiveError(code, problem, { ...this.#facts, cause }),
    }
  }
}

/** What is wrong with an archive of so many files; undefined when nothing is. */
type CountCheck = (files: number) => string | undefined

/** Without a `Blob`: on Node each stream of one leaves 2 KB behind. */
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

/** One file of an archive: the answer to one query. It is read once, before the next file is asked for. */
export class ParquetFile {
  /** The position of its query in the request, from 0. */
  readonly query: number
  /** Such as `0.parquet`. */
  readonly name: string
  /** The length in bytes that the archive announces. */
  readonly size: number
  /** The bytes as they come. */
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>
  /** @internal */
  readonly facts: ErrorFacts

  /** @internal */
  constructor({ query, size, stream }: Member, facts: ErrorFacts) {
    this.query = query
    this.name = `${query}.parquet`
    this.size = size
    this.stream = stream
    this.facts = facts
  }

  /** All bytes. */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await new Response(this.stream).arrayBuffer())
  }

  /** Writes the bytes to a file, on Node, Bun and Deno. The file is complete or not there. */
  async save(path: string): Promise<void> {
    await saveFile(path, this.stream)
  }
}
