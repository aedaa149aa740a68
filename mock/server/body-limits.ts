import { HttpError } from '../http/http-error.ts'
import { hasMoreValuesThan } from '../http/request/parse-json.ts'
import { bodyLimit, decodeBody } from '../http/request/request.ts'
import { runAtOnce, Slices, sliceWork } from '../shared/slices.ts'

/**
 * The largest body of a request to a mock server, in bytes: 8 MiB. A mock in process has a larger limit, because no other caller waits for
 * it.
 */
export const servedBodyLimit = 8 * 1024 * 1024

/** The bytes of the limit for each JSON value: many small values take longer than a few long ones. */
const bytesPerValue = 32

/** The same for the control API: snapshots of the mock itself have longer values. */
export const controlBytesPerValue = 16

/** The microseconds that it takes to handle a byte. */
const byteWork = 0.01

/** The microseconds that a step of decoding takes. */
const stepWork = 100

/** Returns the limit for bodies of the control API, such as snapshots: at least 64 MiB. */
export function controlBodyLimit(limit: number): number {
  return Math.max(limit, bodyLimit)
}

/**
 * Returns the text of a body. A large one is decoded in slices. Large ones wait for each other, so that each turn of the
 * event loop parses one of them.
 *
 * @throws {HttpError} 413 if it has more JSON values than the limit allows; 422 if it is not UTF-8.
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
  // A value has two characters at least, with its comma.
  if (text.length < 2 * mostValues || !(yield* hasMoreValuesThan(mostValues, text))) return text
  throw new HttpError(
    413,
    `The body has more than ${mostValues} JSON values. Send several requests`,
  )
}
