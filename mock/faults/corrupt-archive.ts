import { createTarPacker } from 'modern-tar'
import type { ArchiveCorruption } from './effect-names.ts'

type Bytes = Uint8Array<ArrayBuffer>

const mebibyte = 1024 * 1024

/** Returns a corrupt archive to send as a Parquet response (specification 4.11). */
export function corruptArchive(corruption: ArchiveCorruption): Promise<Bytes> {
  return archives[corruption]()
}

const archives: Record<ArchiveCorruption, () => Promise<Bytes>> = {
  truncated: async () => {
    const archive = await archiveOf('0.parquet', invalidParquet(4096))
    return archive.slice(0, archive.length >> 1)
  },
  traversal: () => archiveOf('../0.parquet', invalidParquet(1024)),
  bomb: () => archiveOf('0.parquet', new Uint8Array(mebibyte), 256),
  bad_footer: () => archiveOf('0.parquet', invalidParquet(1024)),
}

/** Returns bytes that start with Parquet's magic number but are not a valid file. */
function invalidParquet(size: number): Bytes {
  const bytes = Uint8Array.from({ length: size }, (_, index) => (index * 7919 + 13) % 251)
  bytes.set(new TextEncoder().encode('PAR1'))
  return bytes
}

/** Returns a gzipped tar with one file that repeats the bytes `count` times. */
async function archiveOf(name: string, bytes: Bytes, count = 1): Promise<Bytes> {
  const { readable, controller } = createTarPacker()
  const packed = new Response(readable.pipeThrough(new CompressionStream('gzip'))).arrayBuffer()
  // By default, `mtime` is the current time, so the bytes would differ between runs.
  const file = controller.add({ name, size: bytes.length * count, mtime: new Date(0) }).getWriter()
  for (let written = 0; written < count; written += 1) await file.write(bytes)
  await file.close()
  controller.finalize()
  return new Uint8Array(await packed)
}
