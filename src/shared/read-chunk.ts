/** The maximum number of consecutive empty chunks in a body. Reading more could prevent timers from running. */
export const mostEmptyChunks = 10_000

export function endlessBody(): TypeError {
  return new TypeError(`the body has ${mostEmptyChunks} empty chunks in a row`)
}

/**
 * Reads the next chunk that is not empty, or the end of the stream.
 *
 * @throws {TypeError} when too many empty chunks come first.
 */
export async function readChunk<Chunk extends ArrayBufferView>(
  reader: ReadableStreamDefaultReader<Chunk>,
): Promise<ReadableStreamReadResult<Chunk>> {
  for (let empty = 0; empty < mostEmptyChunks; empty += 1) {
    const next = await reader.read()
    if (next.done || next.value.byteLength !== 0) return next
  }
  throw endlessBody()
}
