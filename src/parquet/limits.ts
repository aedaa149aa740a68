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
  /** Rows that `tables` decodes at a time: those of one row group. Default: 4,194,304. */
  maxGroupRows: number
}

const MiB = 1024 * 1024

export const defaultLimits: Readonly<ArchiveLimits> = {
  maxBytes: 1024 * MiB,
  maxExpandedBytes: 4096 * MiB,
  maxExpansion: 100,
  maxFiles: 1000,
  maxHeldBytes: 32 * MiB,
  maxTableBytes: 256 * MiB,
  maxGroupRows: 4 * MiB,
}

/** The bytes up to which expansion is not looked at. */
const unsuspicious = 16 * MiB

/** Whether so many bytes came out of so few. */
export function isBomb(expanded: number, compressed: number, { maxExpansion }: ArchiveLimits) {
  return expanded > unsuspicious && expanded > compressed * maxExpansion
}
