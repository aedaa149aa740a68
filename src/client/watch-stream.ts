import { readChunk } from '../shared/read-chunk.ts'
import type { Clock } from './clock.ts'
import { abortable } from './transport/cancellation.ts'
import { runWithin } from './transport/time-limit.ts'

type ByteStream = ReadableStream<Uint8Array<ArrayBuffer>>

/** Limits for reading a stream. */
export interface ReadLimits {
  /** The clock for the timeout and the deadline. */
  clock: Clock
  /** The number of milliseconds without data after which reading fails. */
  idleTimeout: number
  /** Returns the milliseconds until the call's deadline. */
  remaining: () => number
  /** The signal that aborts reading. */
  signal: AbortSignal | undefined
  /** Creates the error for a stream that stalls or breaks. */
  createError: (cause: unknown) => Error
}

/** Thrown when the call's deadline passes or no byte arrives within the timeout. */
export class ReadTimeoutError extends Error {
  /** Whether the idle timeout, not the deadline, ended the read. */
  readonly isIdle: boolean

  constructor(isIdle: boolean) {
    super()
    this.isIdle = isIdle
  }
}

function lengthError(problem: string): Error {
  return Object.assign(new Error(problem), { code: 'ERR_BODY_LENGTH' })
}

export function readContentLength(headers: Headers): number | undefined {
  const length = headers.get('content-length') ?? ''
  return /^\d+$/.test(length) ? Number(length) : undefined
}

/** Makes reading fail when the body is shorter or longer than its content-length, which not every `fetch` checks. */
export function checkLength(source: ByteStream, headers: Headers): ByteStream {
  const length = decodedLength(headers)
  if (length === undefined) return source
  let missing = length
  const check = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      missing -= chunk.byteLength
      if (missing < 0) throw lengthError(`the body has more than ${length} bytes`)
      controller.enqueue(chunk)
    },
    flush() {
      if (missing > 0) throw lengthError(`the body has ${length - missing} of ${length} bytes`)
    },
  })
  return source.pipeThrough(check)
}

/** Returns the content-length, or undefined for an encoded body, whose content-length counts the encoded bytes. */
function decodedLength(headers: Headers): number | undefined {
  return encodingOf(headers) === undefined ? readContentLength(headers) : undefined
}

export function encodingOf(headers: Headers): string | undefined {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase()
  return encoding === '' || encoding === 'identity' ? undefined : encoding
}

/** Adds a time limit and abort support to each read, and rejects an empty body. No timer runs between reads. */
export function watchStream(source: ByteStream, limits: ReadLimits): ByteStream {
  const reader = source.getReader()
  let isEmpty = true
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await readWithin(reader, limits)
          if (done && isEmpty) throw lengthError('the body has 0 bytes')
          if (done) return controller.close()
          if (!ArrayBuffer.isView(value)) throw new TypeError('a body chunk is not binary data')
          isEmpty = false
          controller.enqueue(value)
        } catch (error) {
          const { signal, createError } = limits
          reader.cancel().catch(() => {})
          throw signal?.aborted ? signal.reason : createError(error)
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

async function readWithin<Chunk extends ArrayBufferView>(
  reader: ReadableStreamDefaultReader<Chunk>,
  { clock, idleTimeout, remaining, signal }: ReadLimits,
): Promise<ReadableStreamReadResult<Chunk>> {
  signal?.throwIfAborted()
  const left = remaining()
  if (left <= 0) throw new ReadTimeoutError(false)
  const milliseconds = Math.min(idleTimeout, left)
  const createError = () => new ReadTimeoutError(idleTimeout <= left)
  return runWithin({ clock, milliseconds, signal, createError }, (end) =>
    abortable(readChunk(reader), end),
  )
}
