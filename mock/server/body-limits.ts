import { HttpError } from '../http/http-error.ts'
import { hasMoreValuesThan } from '../http/request/parse-json.ts'
import { bodyLimit, decodeBody } from '../http/request/request.ts'
import { runAtOnce, Slices, sliceWork } from '../shared/slices.ts'

/**
 * The default size limit for request bodies sent to a mock server, in bytes. An in-process mock accepts larger bodies,
 * because no other caller waits for them.
 */
export const servedBodyLimit = 8 * 1024 * 1024

/**
 * The maximum number of JSON values in a body is its size limit divided by this number. Many small values take longer
 * to handle than a few long values.
 */
const bytesPerValue = 32

/**
 * Like `bytesPerValue`, but for the control API. In snapshots, an average value takes more bytes than this, so large
 * snapshots are accepted.
 */
export const controlBytesPerValue = 16

/** The estimated time to handle one byte, in microseconds. */
const byteWork = 0.01

/** The estimated time for one decoding step, in microseconds. */
const stepWork = 100

/** Returns the size limit for control API bodies, such as snapshots: at least 64 MiB. */
export function controlBodyLimit(limit: number): number {
  return Math.max(limit, bodyLimit)
}

/**
 * Decodes a body, in slices if it is large. Large bodies are queued, so each turn of the event loop parses only one of
 * them.
 *
 * @throws {HttpError} 413 if the body contains more JSON values than the limit allows, or 422 if it is not UTF-8.
 */
export function readText(
  chunks: readonly Buffer[],
  limit: number,
  perValue = bytesPerValue,
): Promise<string> | string {
  const size = chunks.reduce((sum, { length }) => sum + length, 0)
  const mostValues = Math.floor(limit / perValue)
  const task = decode(chunks, mostValues)
  return size * byteWork < sliceWork ? runAtOnce(task) : decodeInSlices(task, size)
}

async function decodeInSlices(task: Generator<void, string>, size: number): Promise<string> {
  const slices = new Slices()
  const text = await slices.run(task, stepWork)
  await slices.spend(size * byteWork)
  return text
}

function* decode(chunks: readonly Buffer[], mostValues: number): Generator<void, string> {
  const text = yield* decodeBody(chunks)
  // A value takes at least two characters, including its comma.
  if (text.length < 2 * mostValues || !(yield* hasMoreValuesThan(mostValues, text))) return text
  throw new HttpError(
    413,
    `The body has more than ${mostValues} JSON values. Split it into several requests`,
  )
}
