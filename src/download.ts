import { sleep } from './cancellation.ts'

/** How a download is watched while it is read. */
export interface DownloadLimits {
  /** Milliseconds without a byte after which reading fails. */
  idleTimeout: number
  signal: AbortSignal | undefined
  /** The error of a stream that stalls or breaks. */
  fail: (cause: unknown) => Error
}

/**
 * An answer that is not JSON, read as it comes. Read it whole, save it, or cancel it: until then it holds a connection.
 *
 * @example
 * const pdf = await client.orders.downloadRequisition(orderId)
 * await pdf.save('requisition.pdf')
 */
export class Download {
  /** The media type, such as `application/pdf`. */
  readonly contentType: string | undefined
  /** The announced length in bytes, if any. */
  readonly size: number | undefined
  /** The bytes. Reading rejects when no byte comes for the timeout's length, or when you abort the call's signal. */
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>

  constructor(response: Response, limits: DownloadLimits) {
    const { headers } = response
    this.contentType = headers.get('content-type') ?? undefined
    this.size = headers.has('content-length') ? Number(headers.get('content-length')) : undefined
    this.stream = watched(response.body ?? new Blob([]).stream(), limits)
  }

  /** All bytes. */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await new Response(this.stream).arrayBuffer())
  }

  /**
   * Writes the bytes to a file, on Node, Bun and Deno. A file that could not be completed is removed; one that could
   * not be opened stays as it is.
   */
  async save(path: string): Promise<void> {
    const { open, rm } = await import('node:fs/promises')
    const { pipeline } = await import('node:stream/promises')
    const file = await open(path, 'w').catch(async (error: unknown) => {
      await this.cancel()
      throw error
    })
    try {
      await pipeline(this.stream, file.createWriteStream())
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
  }

  /** Gives the download up and frees its connection. */
  async cancel(): Promise<void> {
    await this.stream.cancel()
  }
}

/** The same bytes; each read is bounded in time and can be aborted. Between reads no timer runs. */
function watched(
  source: ReadableStream<Uint8Array<ArrayBuffer>>,
  { idleTimeout, signal, fail }: DownloadLimits,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = source.getReader()
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await readInTime(reader, idleTimeout, signal)
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          reader.cancel().catch(() => {})
          throw signal?.aborted ? signal.reason : fail(error)
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

async function readInTime<Chunk>(
  reader: ReadableStreamDefaultReader<Chunk>,
  idleTimeout: number,
  signal: AbortSignal | undefined,
): Promise<ReadableStreamReadResult<Chunk>> {
  signal?.throwIfAborted()
  const idle = new AbortController()
  const follow = () => idle.abort(signal?.reason)
  signal?.addEventListener('abort', follow, { once: true })
  try {
    const stalled = sleep(idleTimeout, idle.signal).then(() => {
      throw new StalledError()
    })
    return await Promise.race([reader.read(), stalled])
  } finally {
    signal?.removeEventListener('abort', follow)
    idle.abort()
  }
}

/** No byte came for too long. */
export class StalledError extends Error {}
