import { assertThat } from './assertions.ts'

/** A file of a tar archive. */
export interface TarFile {
  name: string
  bytes: Uint8Array
}

const blockSize = 512

/** Returns the files of a gzipped tar in their order. */
export async function readTar(archive: Uint8Array<ArrayBuffer>): Promise<TarFile[]> {
  assertThat(archive[0] === 0x1f && archive[1] === 0x8b, 'Expected a gzipped body.')
  const stream = new Blob([archive]).stream().pipeThrough(new DecompressionStream('gzip'))
  const tar = new Uint8Array(await new Response(stream).arrayBuffer())
  const files: TarFile[] = []
  for (let at = 0; at + blockSize <= tar.length && tar[at] !== 0; ) {
    const size = Number.parseInt(readString(tar, at + 124, 12), 8)
    const start = at + blockSize
    assertThat(start + size <= tar.length, 'Expected a complete tar archive.')
    files.push({ name: readString(tar, at, 100), bytes: tar.subarray(start, start + size) })
    at = start + Math.ceil(size / blockSize) * blockSize
  }
  return files
}

/** Returns whether bytes start and end with the magic number of Parquet. */
export function isParquet(bytes: Uint8Array): boolean {
  return readString(bytes, 0, 4) === 'PAR1' && readString(bytes, bytes.length - 4, 4) === 'PAR1'
}

function readString(bytes: Uint8Array, at: number, length: number): string {
  const string = new TextDecoder().decode(bytes.subarray(at, at + length))
  return string.replace(/\0.*$/s, '').trim()
}
