/** What an archive may cost. Beyond a limit reading rejects with an `ArchiveError` `archive_too_large`. */
export interface ArchiveLimits {
  /** Bytes of the archive as it comes. Default: 1 GiB. */
  maxBytes: number
  /** Bytes of the archive unpacked. Default: 4 GiB. */
  maxExpandedBytes: number
  /** How many times larger it may unpack; looked at beyond 16 MiB, for Parquet is compressed already. Default: 100. */
  maxExpansion: number
  /** Files. Default: 1,000. */
  maxFiles: number
  /** Bytes held in memory of files that come before their turn. Default: 32 MiB. */
  maxHeldBytes: number
  /** Bytes of one file that `tables` holds in memory. Default: 256 MiB. */
  maxTableBytes: number
  /** Rows of one table. Default: 134,217,728. */
  maxTableRows: number
  /** Rows that `tables` decodes at a time: those of one row group. Default: 4,194,304. */
  maxGroupRows: number
  /** Bytes of memory that the columns of one row group may take when they are decoded, estimated. Default: 512 MiB. */
  maxGroupBytes: number
}

const MiB = 1024 * 1024

export const defaultLimits: Readonly<ArchiveLimits> = {
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

/** What the metadata of a Parquet file may hold: far more than a table of the service needs. */
export const parquetBounds = {
  footerBytes: 16 * MiB,
  footer: { values: 1024 * 1024, depth: 32 },
  pageHeader: { values: 256, depth: 32 },
  /** Columns, and the groups of nested ones. */
  schemaElements: 1000,
  /** Definition and repetition levels then have at most 6 bits. */
  schemaDepth: 32,
  /** 76 digits. The time to decode a decimal grows with the square of its bytes. */
  decimalBytes: 32,
  /** Values between two headers of a delta encoding; writers use 128 to 2,048. */
  deltaBlock: 65_536,
} as const

/** About how many bytes of memory a decoded value takes, the work to decode it included. */
export const valueBytes = {
  /** One of a dictionary. */
  reference: 16,
  number: 32,
  /** Times are strings. */
  time: 128,
  /** Text and bytes, beside their content. */
  text: 128,
  /** What a value shares with its predecessor in DELTA_BYTE_ARRAY is copied. */
  copiedText: 256,
  /** Each list, map or struct around a value. */
  container: 256,
  /** Each page, beside its content. */
  page: 1024,
} as const

/** How many times larger than its bytes a text is in memory, and a value that is parsed to objects. */
export const growth = { text: 2, parsed: 16 } as const

/** The bytes up to which expansion is not looked at. */
const unsuspicious = 16 * MiB

/** Whether so many bytes came out of so few. */
export function isBomb(expanded: number, compressed: number, { maxExpansion }: ArchiveLimits) {
  return expanded > unsuspicious && expanded > compressed * maxExpansion
}
