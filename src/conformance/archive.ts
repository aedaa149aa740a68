import { that } from './expect.ts'

const blockSize = 512

/** The members of a gzipped tar, in their order. */
export async function members(
  archive: Uint8Array<ArrayBuffer>,
): Promise<{ name: string; bytes: Uint8Array }[]> {
  that(archive[0] === 0x1f && archive[1] === 0x8b, 'Expected a gzipped body.')
  const stream = new Blob([archive]).stream().pipeThrough(new DecompressionStream('gzip'))
  const tar = new Uint8Array(await new Response(stream).arrayBuffer())
  const found: { name: string; bytes: Uint8Array }[] = []
  for (let at = 0; at + blockSize <= tar.length && tar[at] !== 0; ) {
    const size = Number.parseInt(textAt(tar, at + 124, 12), 8)
    const start = at + blockSize
    that(start + size <= tar.length, 'Expected a whole tar archive.')
    found.push({ name: textAt(tar, at, 100), bytes: tar.subarray(start, start + size) })
    at = start + Math.ceil(size / blockSize) * blockSize
  }
  return found
}

/** Whether bytes begin and end as a Parquet file does. */
export function isParquet(bytes: Uint8Array): boolean {
  return textAt(bytes, 0, 4) === 'PAR1' && textAt(bytes, bytes.length - 4, 4) === 'PAR1'
}

function textAt(bytes: Uint8Array, at: number, length: number): string {
  const text = new TextDecoder().decode(bytes.subarray(at, at + length))
  return text.replace(/\0.*$/s, '').trim()
}
