import { type CompressionCodec, snappyUncompress } from 'hyparquet'
import { invalidFileError, unsupportedFileError } from '../archive/errors.ts'

/** Decompresses a page. Codecs other than Snappy need platform support. */
export function decompress(codec: CompressionCodec, input: Uint8Array, size: number): Uint8Array {
  // A page without values may have no bytes.
  if (size === 0 && input.length === 0) return input
  const page =
    codec === 'SNAPPY' ? decompressSnappy(input, size) : decompressOnPlatform(codec, input, size)
  if (page.length !== size)
    throw invalidFileError('the decompressed size of a page differs from the size in its header')
  return page
}

function decompressSnappy(input: Uint8Array, size: number): Uint8Array {
  checkSnappy(input, size)
  const page = new Uint8Array(size)
  snappyUncompress(input, page)
  return page
}

function decompressOnPlatform(
  codec: CompressionCodec,
  input: Uint8Array,
  size: number,
): Uint8Array {
  const zlib = globalThis.process?.getBuiltinModule?.('node:zlib')
  const options = { maxOutputLength: Math.max(1, size) }
  if (codec === 'GZIP' && zlib) return zlib.gunzipSync(input, options)
  if (codec === 'BROTLI' && zlib) return zlib.brotliDecompressSync(input, options)
  // Node has supported Zstandard since version 22.15.
  if (codec === 'ZSTD' && zlib?.zstdDecompressSync) return zlib.zstdDecompressSync(input, options)
  throw unsupportedFileError(`${codec} compression`, ' on this platform')
}

/**
 * Checks that Snappy data decompresses to exactly `size` bytes. Without this check, the decoder would read literal
 * lengths above 2 GiB as negative numbers and loop forever.
 */
function checkSnappy(input: Uint8Array, size: number): void {
  let at = 0
  while ((input[at] ?? 0) >= 0x80) at += 1
  at += 1
  let left = size
  while (at < input.length && left >= 0) {
    const tag = input[at] ?? 0
    const kind = tag & 3
    const { length, bytes } = kind === 0 ? readLiteral(input, at) : readCopy(kind, tag)
    left -= length
    at += bytes
  }
  if (left !== 0 || at > input.length) throw invalidFileError('a page has invalid Snappy data')
}

/**
 * Returns a literal's length and the number of input bytes that the literal occupies. Lengths above 60 follow the tag
 * in 1 to 4 bytes.
 */
function readLiteral(input: Uint8Array, at: number): { length: number; bytes: number } {
  const short = (input[at] ?? 0) >> 2
  const more = Math.max(0, short - 59)
  let length = more === 0 ? short : 0
  for (let byte = 0; byte < more; byte += 1) length += (input[at + 1 + byte] ?? 0) * 2 ** (8 * byte)
  return { length: length + 1, bytes: 1 + more + length + 1 }
}

function readCopy(kind: number, tag: number): { length: number; bytes: number } {
  if (kind === 1) return { length: ((tag >> 2) & 7) + 4, bytes: 2 }
  return { length: (tag >> 2) + 1, bytes: kind === 2 ? 3 : 5 }
}
