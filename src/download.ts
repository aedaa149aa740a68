import { chunks } from './body.ts'
import { sleep } from './cancellation.ts'

/** How a download is watched while it is read. */
export interface DownloadLimits {
  /** Milliseconds without a byte after which reading fails. */
  idleTimeout: number
  /** Milliseconds until the call's deadline. */
  remaining: () => number
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
  /**
   * The bytes. Reading rejects when no byte comes for the timeout's length, at the call's deadline, or when you abort the
   * call's signal.
   */
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
   * Writes the bytes to a file, on Node, Bun and Deno. The file is complete or not there: it is written beside its place
   * and then moved, so that one that was there stays until then.
   */
  async save(path: string): Promise<void> {
    await saveAs(path, this.stream)
  }

  /** Gives the download up and frees its connection. */
  async cancel(): Promise<void> {
    await this.stream.cancel()
  }
}

type Write = (chunk: Uint8Array) => Promise<void>

/** The files of Node, Bun and Deno. An import would break the bundles for browsers. */
async function fileSystem(stream: ReadableStream): Promise<typeof import('node:fs/promises')> {
  const files = globalThis.process?.getBuiltinModule?.('node:fs/promises')
  if (files) return files
  await stream.cancel()
  throw new TypeError('This platform has no files to save to: read the stream instead.')
}

/**
 * Saves a stream to a file, whole or not at all; `read` reads the stream and writes every chunk. What is no regular file,
 * such as a pipe, is written to as it is.
 */
export async function saveAs(
  path: string,
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  read: (write: Write) => Promise<void> = (write) => copy(stream, write),
): Promise<void> {
  const { open, realpath, rename, rm, stat } = await fileSystem(stream)
  const place = await realpath(path).catch(() => path)
  const isOther = await stat(place).then(
    (found) => !found.isFile(),
    () => false,
  )
  const draft = isOther ? place : `${place}.${crypto.randomUUID()}.part`
  const file = await open(draft, 'w').catch(async (error: unknown) => {
    await stream.cancel()
    throw error
  })
  try {
    await read((chunk) => file.appendFile(chunk)).finally(() => file.close())
    if (!isOther) await rename(draft, place)
  } catch (error) {
    if (!isOther) await rm(draft, { force: true })
    throw error
  }
}

async function copy(stream: ReadableStream<Uint8Array>, write: Write): Promise<void> {
  for await (const chunk of chunks(stream)) await write(chunk)
}

/** The same bytes; each read is bounded in time and can be aborted. Between reads no timer runs. */
function watched(
  source: ReadableStream<Uint8Array<ArrayBuffer>>,
  limits: DownloadLimits,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = source.getReader()
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await readInTime(reader, limits)
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          const { signal, fail } = limits
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
  { idleTimeout, remaining, signal }: DownloadLimits,
): Promise<ReadableStreamReadResult<Chunk>> {
  signal?.throwIfAborted()
  const left = remaining()
  if (left <= 0) throw new LateError(false)
  const idle = new AbortController()
  const follow = () => idle.abort(signal?.reason)
  signal?.addEventListener('abort', follow, { once: true })
  try {
    const late = sleep(Math.min(idleTimeout, left), idle.signal).then(() => {
      throw new LateError(idleTimeout <= left)
    })
    return await Promise.race([reader.read(), late])
  } finally {
    signal?.removeEventListener('abort', follow)
    idle.abort()
  }
}

/** No byte came for too long, or the call's deadline has passed. */
export class LateError extends Error {
  /** Whether it was the timeout, and not the deadline. */
  readonly isIdle: boolean

  constructor(isIdle: boolean) {
    super()
    this.isIdle = isIdle
  }
}
