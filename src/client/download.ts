import { chunks } from './transport/body.ts'
import { sleep } from './transport/cancellation.ts'

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
    this.size = lengthOf(headers)
    const body = response.body ?? new Blob([]).stream()
    this.stream = watched(complete(body, bodyLength(headers)), limits)
  }

  /** All bytes. */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await new Response(this.stream).arrayBuffer())
  }

  /**
   * Writes the bytes to a file, on Node, Bun and Deno. The file is complete or not there: it is written to a temporary file
   * beside it and then moved, so that an existing file stays until then. An existing file keeps its permissions, and a link
   * leads to the file that is replaced.
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
type Files = typeof import('node:fs/promises')

/** The files of Node, Bun and Deno. An import would break the bundles for browsers. */
async function fileSystem(stream: ReadableStream): Promise<Files> {
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
  const files = await fileSystem(stream)
  const { place, found, draft, file } = await openDraft(files, path).catch(
    async (error: unknown) => {
      await stream.cancel()
      throw error
    },
  )
  try {
    const write: Write = (chunk) => file.appendFile(chunk)
    const finish = () => (draft === place ? undefined : file.sync())
    await read(write)
      .then(finish)
      .finally(() => file.close())
    if (draft === place) return
    if (found) await keepPermissions(files, draft, found)
    await files.rename(draft, place)
  } catch (error) {
    if (draft !== place) await files.rm(draft, { force: true })
    throw error
  }
}

/** The file to write to: one beside the place, which nobody can open whom the file that it replaces keeps out. */
async function openDraft(files: Files, path: string) {
  const place = await placeOf(files, path)
  const found = await files.stat(place).catch(() => undefined)
  if (found && !found.isFile()) {
    return { place, found, draft: place, file: await files.open(place, 'w') }
  }
  const draft = `${place}.${crypto.randomUUID()}.part`
  // Its group may be another one until the end, so the group waits.
  const mode = found ? found.mode & 0o700 : 0o666
  return { place, found, draft, file: await files.open(draft, 'wx', mode) }
}

/** Where a link leads. A link that leads nowhere is an error: neither it nor what it names is replaced. */
async function placeOf({ lstat, realpath }: Files, path: string): Promise<string> {
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  )
  return isThere ? realpath(path) : path
}

/** Gives a file the owner, group and permissions of the one that it replaces; without its group, the group gets none. */
async function keepPermissions(
  { chmod, chown, stat }: Files,
  draft: string,
  { mode, uid, gid }: Record<'mode' | 'uid' | 'gid', number>,
): Promise<void> {
  const own = await stat(draft)
  await chown(draft, uid, gid)
    .catch(() => chown(draft, own.uid, gid))
    .catch(() => undefined)
  const isSameGroup = (await stat(draft)).gid === gid
  await chmod(draft, mode & (isSameGroup ? 0o777 : 0o707))
}

async function copy(stream: ReadableStream<Uint8Array>, write: Write): Promise<void> {
  for await (const chunk of chunks(stream)) await write(chunk)
}

function lengthOf(headers: Headers): number | undefined {
  const length = headers.get('content-length') ?? ''
  return /^\d+$/.test(length) ? Number(length) : undefined
}

/** How many bytes the body must have, if that is known: the length announced is that of the body as it is sent. */
function bodyLength(headers: Headers): number | undefined {
  const encoding = headers.get('content-encoding') ?? 'identity'
  return encoding.toLowerCase() === 'identity' ? lengthOf(headers) : undefined
}

/** The same bytes; reading fails where they are fewer or more than announced. Not every `fetch` checks that. */
function complete(
  source: ReadableStream<Uint8Array<ArrayBuffer>>,
  length: number | undefined,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  if (length === undefined) return source
  let left = length
  const check = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      left -= chunk.byteLength
      if (left < 0) throw new LengthError(`the body has more than the ${length} bytes announced`)
      controller.enqueue(chunk)
    },
    flush() {
      if (left > 0) throw new LengthError(`the body has ${length - left} of ${length} bytes`)
    },
  })
  return source.pipeThrough(check)
}

/** A body is not as long as announced. */
class LengthError extends Error {}

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
