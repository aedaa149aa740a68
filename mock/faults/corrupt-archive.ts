import type { ArchiveCorruption } from './faults.ts'

/** How many bytes a bomb expands to. */
const bombSize = 256 * 1024 * 1024

/** An archive of Parquet files (specification 4.11) that is corrupt. */
export function corruptArchive(corruption: ArchiveCorruption): Promise<Uint8Array<ArrayBuffer>> {
  return corrupt[corruption]()
}

const corrupt: Record<ArchiveCorruption, () => Promise<Uint8Array<ArrayBuffer>>> = {
  truncated: async () => {
    const whole = await gzip(tar('0.parquet', [noise(4096)]))
    return whole.slice(0, whole.length >> 1)
  },
  traversal: () => gzip(tar('../0.parquet', [noise(1024)])),
  bomb: () => {
    const block = new Uint8Array(1024 * 1024)
    return gzip(tar('0.parquet', Array(bombSize / block.length).fill(block)))
  },
  bad_footer: () => gzip(tar('0.parquet', [noise(1024)])),
}

/** Bytes that begin as a Parquet file does, and then are none. */
function noise(size: number): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from({ length: size }, (_, at) => (at * 7919 + 13) % 251)
  bytes.set(new TextEncoder().encode('PAR1'))
  return bytes
}

/** The blocks of a tar archive with one file; the size of each chunk but the last is a multiple of 512. */
function* tar(name: string, chunks: Uint8Array<ArrayBuffer>[]): Generator<Uint8Array<ArrayBuffer>> {
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  yield tarHeader(name, size)
  yield* chunks
  yield new Uint8Array(((512 - (size % 512)) % 512) + 1024)
}

/** The header of a file, in the format ustar. */
function tarHeader(name: string, size: number): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(512)
  const write = (text: string, at: number) => header.set(new TextEncoder().encode(text), at)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  write(name, 0)
  write(octal(0o644, 7), 100)
  write(octal(0, 7), 108)
  write(octal(0, 7), 116)
  write(octal(size, 11), 124)
  write(octal(0, 11), 136)
  write('        ', 148)
  write('0', 156)
  write('ustar\u000000', 257)
  write(
    `${octal(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    )} `,
    148,
  )
  return header
}

async function gzip(blocks: Iterator<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> {
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const { value, done } = blocks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
  const packed = source.pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(packed).arrayBuffer())
}
