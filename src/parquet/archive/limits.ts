import { suggestName } from '../../contract/schema-tools/nearest.ts'

/**
 * Limits for an archive. If a limit is exceeded, reading rejects with an `ArchiveError` whose code is
 * `archive_too_large`.
 */
export interface ArchiveLimits {
  /** The maximum compressed size in bytes. Default: 1 GiB. */
  maxBytes: number
  /** The maximum decompressed size in bytes. Default: 4 GiB. */
  maxExpandedBytes: number
  /** The maximum decompression ratio, enforced once decompressed data exceeds 16 MiB. Default: 100. */
  maxExpansion: number
  /** The maximum number of files. Default: 1,000. */
  maxFiles: number
  /** The maximum number of bytes held in memory for files that arrive out of order. Default: 32 MiB. */
  maxHeldBytes: number
  /** The maximum number of bytes from one file that `tables` and `file.bytes()` hold in memory. Default: 256 MiB. */
  maxTableBytes: number
  /** The maximum number of rows in one table. Default: 134,217,728. */
  maxTableRows: number
  /** The maximum number of rows in one row group; `tables` decodes one group at a time. Default: 4,194,304. */
  maxGroupRows: number
  /** The maximum estimated memory use of one decoded row group, in bytes. Default: 512 MiB. */
  maxGroupBytes: number
}

const MiB = 1024 * 1024

const defaultLimits: Readonly<ArchiveLimits> = {
  maxBytes: 1024 * MiB,
  maxExpandedBytes: 4096 * MiB,
  maxExpansion: 100,
  maxFiles: 1000,
  maxHeldBytes: 32 * MiB,
  maxTableBytes: 256 * MiB,
  maxTableRows: 128 * MiB,
  maxGroupRows: 4 * MiB,
  maxGroupBytes: 512 * MiB,
}

export function completeLimits(given: Partial<ArchiveLimits>): ArchiveLimits {
  const defined = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...defaultLimits, ...Object.fromEntries(defined) }
}

/** Describes the first limit that is unknown or invalid. */
export function invalidLimit(given: Partial<ArchiveLimits>): string | undefined {
  const names = Object.keys(defaultLimits)
  for (const [name, value] of Object.entries(given)) {
    if (!names.includes(name)) return `limit ${name} is unknown. ${suggestName(name, names)}`
    if (value !== undefined && !(typeof value === 'number' && value >= 0)) {
      return `limit ${name} is negative or not a number.`
    }
  }
  return undefined
}

/** A limit for an archive's structure, far above what the service needs. */
export const archiveBounds = {
  /** The maximum size of a pax header, in bytes. A header for a long name takes a few hundred bytes. */
  paxBytes: 64 * 1024,
} as const

/** Limits for a Parquet file's metadata, far above what the service's tables need. */
export const parquetBounds = {
  footerBytes: 16 * MiB,
  footer: { values: 1024 * 1024, depth: 32 },
  pageHeader: { values: 256, depth: 32 },
  /** The maximum number of columns, including the root and groups of nested columns. */
  schemaElements: 1000,
  /** The maximum depth of the schema. It limits definition and repetition levels to 6 bits. */
  schemaDepth: 32,
  /**
   * The maximum size of a decimal in bytes, enough for 76 digits. The decoding time grows with the square of the size.
   */
  decimalBytes: 32,
  /** The maximum number of values in one block of a delta encoding. Common writers use 128 to 2,048. */
  deltaBlock: 65_536,
} as const

/** The estimated memory per decoded value, in bytes, by kind of value. Includes the memory needed for decoding. */
export const valueBytes = {
  /** A reference to a dictionary value. */
  reference: 16,
  number: 32,
  /** A time, which is a string. */
  time: 128,
  /** A string or bytes, without the content. */
  string: 128,
  /** A copy of the prefix that a DELTA_BYTE_ARRAY value shares with the previous value. */
  copiedPrefix: 256,
  /** A list, map or struct around a value. */
  container: 256,
  /** A page, without its content. */
  page: 1024,
} as const

/** The ratio of a string's size in memory to its size in the file. */
export const stringGrowth = 2

/** The decompression ratio is checked only above this decompressed size, in bytes. */
const unsuspicious = 16 * MiB

export function isBomb(expanded: number, compressed: number, { maxExpansion }: ArchiveLimits) {
  return expanded > unsuspicious && expanded > compressed * maxExpansion
}
