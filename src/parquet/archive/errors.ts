import type { ArchiveErrorCode } from '../../client/errors/error-codes.ts'
import { describeRequest, joinSentences } from '../../client/errors/message.ts'
import { type ErrorFacts, ServiceError } from '../../client/errors/service-error.ts'
import { seeError } from '../../shared/error-links.ts'
import type { ArchiveLimits } from './limits.ts'

/** Thrown when a Parquet archive cannot be used, even if the call succeeded. */
export class ArchiveError extends ServiceError {
  static override readonly kind: string = 'ArchiveError'
  /** The error code; see `archiveErrorCodes`. */
  override readonly code: ArchiveErrorCode

  constructor(code: ArchiveErrorCode, problem: string, facts: ErrorFacts) {
    super(archiveMessage(code, problem, facts) + seeError(code), facts)
    this.code = code
  }
}

/** Returns the error message. If `ParquetArchive.from` opened the archive, there is no request to describe. */
function archiveMessage(code: ArchiveErrorCode, problem: string, facts: ErrorFacts): string {
  const { operation, route } = facts
  const isOfCall = route !== ''
  return joinSentences(
    isOfCall
      ? `${operation} succeeded, but its archive ${problem}`
      : `${operation}: the archive ${problem}`,
    hasOwnAdvice.has(code) ? '' : requestAgain,
    isOfCall && describeRequest(facts),
  )
}

const requestAgain = "Request it again; if this persists, report it to the service's support team"

/** The codes whose `problem` includes the advice. */
const hasOwnAdvice = new Set<ArchiveErrorCode>([
  'archive_limit_invalid',
  'archive_not_gzip',
  'archive_too_large',
  'parquet_invalid',
])

export function limitProblem(problem: string, limit: string, name: keyof ArchiveLimits): string {
  return `${problem} ${limit} (${name}). Increase ${name} if such archives are expected`
}

/** Thrown when a Parquet file is rejected. {@link fileError} adds the file's name. */
export class ParquetError extends Error {
  readonly code: 'archive_too_large' | 'parquet_invalid'

  constructor(code: ParquetError['code'], problem: string) {
    super(problem)
    this.code = code
  }
}

export function invalidFileError(reason: string): ParquetError {
  return new ParquetError(
    'parquet_invalid',
    `is not valid Parquet: ${reason}. Request the archive again; if this persists, report it to the service's support team`,
  )
}

export function unsupportedFileError(feature: string, where = ''): ParquetError {
  return new ParquetError(
    'parquet_invalid',
    `uses ${feature}, which tables() does not support${where}. Save the file and read it with a database such as DuckDB`,
  )
}

export function fileTooLargeError(problem: string, limit: number, name: string): ParquetError {
  return new ParquetError(
    'archive_too_large',
    `${problem} ${limit} (${name}). Increase ${name}, or save the file and read it with a database such as DuckDB`,
  )
}

/** Adds a file's name to an error. Any cause other than a {@link ParquetError} comes from the decoder. */
export function fileError(cause: unknown, name: string, facts: ErrorFacts): ArchiveError {
  const error = cause instanceof ParquetError ? cause : invalidFileError('it cannot be decoded')
  return new ArchiveError(error.code, `has a ${name} that ${error.message}`, { ...facts, cause })
}
