import { BodyTooLargeError, checkBytes, responseLimits } from '../../shared/response-limits.ts'
import { readBounded } from '../transport/body.ts'
import { checkLength, type ReadLimits, readContentLength, watchStream } from '../watch-stream.ts'
import { saveFile, unreadBody } from './save-file.ts'

/**
 * A non-JSON response, read as a stream. The connection stays open until you have fully read, saved or cancelled the
 * response.
 *
 * @example
 * const pdf = await client.orders.downloadRequisition(orderId)
 * await pdf.save('requisition.pdf')
 */
export class Download {
  /** The media type, such as `application/pdf`, or undefined if the service sent none. */
  readonly contentType: string | undefined
  /** The content length in bytes, or undefined if the service sent none. */
  readonly size: number | undefined
  /**
   * The bytes. Reading fails with a `TimeoutError` when the call's deadline passes or no byte arrives within the
   * timeout. It fails with the abort reason if you abort the call's signal.
   */
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>
  readonly #operation: string
  readonly #createError: ReadLimits['createError']

  /** Creates a download. Used only by the client. */
  constructor(operation: string, response: Response, limits: ReadLimits) {
    this.#operation = operation
    this.#createError = limits.createError
    const { headers } = response
    // The client rejects a response without a body.
    const body = response.body as NonNullable<Response['body']>
    this.contentType = headers.get('content-type') ?? undefined
    this.size = readContentLength(headers)
    this.stream = watchStream(checkLength(body, headers), limits)
  }

  /**
   * Reads all bytes into memory.
   *
   * @throws {ResponseValidationError} when the body exceeds 100 MiB.
   * @throws {ServiceError} when the body is truncated or does not arrive in time.
   * @throws {TypeError} when the body has already been read or cancelled.
   */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const reader = unreadBody(this.#operation, this.stream).getReader()
    const limits = { longest: responseLimits.bytes }
    try {
      checkBytes(this.size ?? 0, limits)
      return (await readBounded(reader, limits)).slice()
    } catch (error) {
      reader.cancel().catch(() => {})
      throw error instanceof BodyTooLargeError ? this.#createError(error) : error
    } finally {
      reader.releaseLock()
    }
  }

  /**
   * Writes the bytes to a temporary file in the same directory, then renames it to `path` (Node, Bun and Deno only). If
   * the process is killed, the temporary `.part` file remains. An existing file keeps its permissions, and symbolic
   * links are followed.
   *
   * @throws {TypeError} on platforms without a file system, or when the body has already been read or cancelled.
   * @throws {ServiceError} when the body is truncated or does not arrive in time.
   */
  async save(path: string): Promise<void> {
    await saveFile(this.#operation, path, this.stream)
  }

  /**
   * Cancels the download and frees its connection.
   *
   * @throws {TypeError} during a read and after `bytes()`. To stop a read, abort the call's signal.
   */
  async cancel(): Promise<void> {
    await this.stream.cancel()
  }
}
