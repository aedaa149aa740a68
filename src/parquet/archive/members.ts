import { limitProblem } from './errors.ts'
import { type Reading, type TarEntry, TarReader } from './tar-reader.ts'

export interface Member {
  /** The number in the file's name, which is the query's position in the request. */
  query: number
  size: number
  stream: ReadableStream<Uint8Array<ArrayBuffer>>
}

/**
 * Reads an archive's files in numerical order. Files that arrive early are held in memory. Skips the unread part of a
 * file when the next file is requested.
 */
export async function* readMembers(
  archive: ReadableStream<Uint8Array<ArrayBuffer>>,
  reading: Reading,
): AsyncGenerator<Member> {
  const tar = new TarReader(archive, reading)
  const early = new FileQueue(reading)
  let expected = 0
  try {
    for (let count = 1; ; count += 1) {
      const entry = await tar.next()
      if (!entry) break
      const query = queryOf(entry, count, reading)
      if (query < expected || early.has(query)) {
        throw reading.fail('archive_unexpected', `has ${query}.parquet twice`)
      }
      if (query > expected) {
        await early.hold(query, entry)
        continue
      }
      yield { query, size: entry.size, stream: entry.stream }
      await entry.skip()
      expected += 1
      for (let held = early.take(expected); held; held = early.take(expected)) {
        yield held
        expected += 1
      }
    }
    if (early.size > 0) throw reading.fail('archive_unexpected', `has no ${expected}.parquet`)
  } finally {
    tar.cancel()
  }
}

function queryOf({ name, type }: TarEntry, count: number, { limits, fail }: Reading): number {
  if (count > limits.maxFiles) {
    const limit = `${limits.maxFiles} files`
    throw fail('archive_too_large', limitProblem('has more than', limit, 'maxFiles'))
  }
  const digits = /^(0|[1-9]\d{0,8})\.parquet$/.exec(name)?.[1]
  if (type === 'file' && digits !== undefined) return Number(digits)
  // The message omits the name, which is untrusted input.
  throw fail('archive_unexpected', 'has an entry that is not a file such as 0.parquet')
}

class FileQueue {
  readonly #reading: Reading
  readonly #held = new Map<number, Blob>()
  #bytes = 0

  constructor(reading: Reading) {
    this.#reading = reading
  }

  get size(): number {
    return this.#held.size
  }

  has(query: number): boolean {
    return this.#held.has(query)
  }

  async hold(query: number, { size, stream }: TarEntry): Promise<void> {
    const { limits, fail } = this.#reading
    this.#bytes += size
    if (this.#bytes > limits.maxHeldBytes) {
      const problem = 'has out-of-order files that take more than'
      const limit = `${limits.maxHeldBytes} bytes`
      throw fail('archive_too_large', limitProblem(problem, limit, 'maxHeldBytes'))
    }
    this.#held.set(query, await new Response(stream).blob())
  }

  take(query: number): Member | undefined {
    const held = this.#held.get(query)
    if (!held) return undefined
    this.#held.delete(query)
    this.#bytes -= held.size
    return { query, size: held.size, stream: held.stream() }
  }
}
