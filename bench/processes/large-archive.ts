import { randomFillSync } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { createTarPacker } from 'modern-tar'

/** Packs ten files of random bytes, which do not compress: `node bench/processes/large-archive.ts <path> <megabytes>`. */
const [path = '', size] = process.argv.slice(2)
const mebibyte = 1024 * 1024
const fileSize = Number(size) / 10
const { readable, controller } = createTarPacker()
const finished = pipeline(
  Readable.fromWeb(readable as never),
  createGzip({ level: 1 }),
  createWriteStream(path),
)
const noise = randomFillSync(new Uint8Array(mebibyte))
for (let file = 0; file < 10; file += 1) {
  const writer = controller
    .add({ name: `${file}.parquet`, size: fileSize * mebibyte, mtime: new Date(0) })
    .getWriter()
  for (let sent = 0; sent < fileSize; sent += 1) await writer.write(noise)
  await writer.close()
}
controller.finalize()
await finished
