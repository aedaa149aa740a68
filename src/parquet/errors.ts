import { type ErrorFacts, ServiceError } from '../errors.ts'

/**
 * What can be wrong with an archive.
 * - `archive_not_gzip`: it is no gzip at all.
 * - `archive_damaged`: gzip or tar is truncated or corrupt; asking again may help.
 * - `archive_unexpected`: it holds something other than the files `0.parquet`, `1.parquet` and so on, each once; or, as the
 *   response to a call, not one file for each query.
 * - `archive_too_large`: it is beyond a limit, see `ArchiveLimits`.
 * - `parquet_invalid`: one of its files cannot be read as Parquet.
 */
export const archiveErrorCodes = [
  'archive_not_gzip',
  'archive_damaged',
  'archive_unexpected',
  'archive_too_large',
  'parquet_invalid',
] as const
/** One of {@link archiveErrorCodes}. */
export type ArchiveErrorCode = (typeof archiveErrorCodes)[number]

/** The service answered with success, but its Parquet archive cannot be used; `code` says why. */
export class ArchiveError extends ServiceError {
  static override readonly kind: string = 'ArchiveError'
  override readonly code: ArchiveErrorCode

  constructor(code: ArchiveErrorCode, problem: string, facts: ErrorFacts) {
    super(`${facts.operation}: the archive ${problem}`, facts)
    this.code = code
  }
}
