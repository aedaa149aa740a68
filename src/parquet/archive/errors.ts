import type { ArchiveErrorCode } from '../../client/errors/error-codes.ts'
import { type ErrorFacts, ServiceError } from '../../client/errors/service-error.ts'

/** Thrown when a call succeeded but its Parquet archive cannot be used. */
export class ArchiveError extends ServiceError {
  static override readonly kind: string = 'ArchiveError'
  /** The reason, see `archiveErrorCodes`. */
  override readonly code: ArchiveErrorCode

  constructor(code: ArchiveErrorCode, problem: string, facts: ErrorFacts) {
    super(`${facts.operation}: the archive ${problem}`, facts)
    this.code = code
  }
}

/** Why a Parquet file is rejected; {@link ArchiveError} adds the name of the file. */
export class ParquetError extends Error {
  readonly code: 'archive_too_large' | 'parquet_invalid'

  constructor(code: ParquetError['code'], problem: string) {
    super(problem)
    this.code = code
  }
}

/** Returns the error for a file that violates the Parquet format. */
export function invalidFileError(reason: string): ParquetError {
  return new ParquetError(
    'parquet_invalid',
    `is not valid Parquet: ${reason}. Request the archive again; if this persists, report the file`,
  )
}

/** Returns the error for a feature that `tables` does not support. */
export function unsupportedFileError(feature: string): ParquetError {
  return new ParquetError(
    'parquet_invalid',
    `uses ${feature}, which tables() does not support. Save the file and read it with a database`,
  )
}

/** Returns the error for a file that exceeds a limit, such as `maxGroupBytes`. */
export function fileTooLargeError(problem: string, limit: number, name: string): ParquetError {
  return new ParquetError(
    'archive_too_large',
    `${problem} ${limit} (${name}). Increase ${name}, or save the file and read it with a database`,
  )
}
