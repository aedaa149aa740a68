/** An entry of a crafted tar archive. Its header may differ from its bytes. */
export interface CraftedEntry {
  name?: string | undefined
  /** The type flag: `0` for files, `x` for pax headers, `g` for global ones. */
  type?: string | undefined
  /** The size in the header. Default: the number of bytes. */
  size?: number | string | undefined
  prefix?: string | undefined
  bytes?: Uint8Array | string | undefined
  /** Added to the checksum. Default: 0. */
  checksumError?: number | undefined
  /** Whether the last block is filled with zeros. Default: true. */
  isPadded?: boolean | undefined
}

const encoder = new TextEncoder()

function bytesOf(content: Uint8Array | string): Uint8Array {
  return typeof content === 'string' ? encoder.encode(content) : content
}

/** Returns the header block of an entry. */
function headerBlock(entry: CraftedEntry): Uint8Array {
  const { name = '0.parquet', type = '0', bytes = '', prefix = '', checksumError = 0 } = entry
  const { size = bytesOf(bytes).length } = entry
  const block = new Uint8Array(512)
  const write = (at: number, length: number, text: string) =>
    block.set(encoder.encode(text).subarray(0, length), at)
  write(0, 100, name)
  write(124, 12, typeof size === 'string' ? size : size.toString(8).padStart(11, '0'))
  write(148, 8, ' '.repeat(8))
  write(156, 1, type)
  write(257, 8, 'ustar\u000000')
  write(345, 155, prefix)
  const sum = block.reduce((total, byte) => total + byte, checksumError)
  write(148, 8, `${sum.toString(8).padStart(6, '0')}\0 `)
  return block
}

/** Returns a tar archive of these entries, with `end` blocks of zeros after them. */
export function craftTar(entries: readonly CraftedEntry[], end = 2): Uint8Array<ArrayBuffer> {
  const parts = entries.flatMap((entry) => {
    const body = bytesOf(entry.bytes ?? '')
    const padding = entry.isPadded === false ? 0 : (512 - (body.length % 512)) % 512
    return [headerBlock(entry), body, new Uint8Array(padding)]
  })
  return new Uint8Array(Buffer.concat([...parts, new Uint8Array(512 * end)]))
}

/** Returns a pax record; `length` replaces its correct length. */
export function paxRecord(key: string, value: string, length?: number | string): string {
  const rest = ` ${key}=${value}\n`
  const size = encoder.encode(rest).length
  const digits = String(size + String(size + String(size).length).length)
  return `${length ?? digits}${rest}`
}
