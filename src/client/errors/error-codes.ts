/**
 * The codes of `ApiError` and its subclasses: one for each status that has its own class, `internal_server_error` for
 * every status of 500 or above, and `api_error` for all others.
 */
export const apiErrorCodes = [
  'api_error',
  'bad_request',
  'authentication_failed',
  'permission_denied',
  'not_found',
  'conflict',
  'unprocessable_entity',
  'rate_limited',
  'internal_server_error',
] as const
/** The code of an `ApiError`, determined by its status. */
export type ApiErrorCode = (typeof apiErrorCodes)[number]

/**
 * Why an iteration over pages cannot continue.
 * - `page_limit_reached`: the iteration read `maxPages` pages, but there are more.
 * - `cursor_repeated`: the service returned a cursor that it had already returned.
 * - `page_repeated`: the service returned the items of an earlier page again, as if it ignored the page number.
 * - `page_empty`: the service returned an empty page, but its counters show more items.
 * - `list_changed`: the list became shorter during the iteration, so an item may have moved to an earlier page.
 * - `last_page`: `nextPage()` was called on the last page.
 */
export const paginationErrorCodes = [
  'page_limit_reached',
  'cursor_repeated',
  'page_repeated',
  'page_empty',
  'list_changed',
  'last_page',
] as const
/** The code of a `PaginationError`. */
export type PaginationErrorCode = (typeof paginationErrorCodes)[number]

/**
 * The codes of `ArchiveError`.
 * - `archive_not_gzip`: the response is not gzip data.
 * - `archive_damaged`: the gzip or tar data is truncated or corrupt; a new request may succeed.
 * - `archive_unexpected`: the archive contains entries other than `0.parquet`, `1.parquet` and so on, or does not
 *   contain one file per query.
 * - `archive_too_large`: the archive exceeds a limit in `ArchiveLimits`.
 * - `archive_limit_invalid`: a limit that you passed is unknown or invalid; nothing was read.
 * - `parquet_invalid`: a file in the archive cannot be read as Parquet.
 */
export const archiveErrorCodes = [
  'archive_not_gzip',
  'archive_damaged',
  'archive_unexpected',
  'archive_too_large',
  'archive_limit_invalid',
  'parquet_invalid',
] as const
/** The code of an `ArchiveError`. */
export type ArchiveErrorCode = (typeof archiveErrorCodes)[number]

/** The codes of the client's errors. */
export const serviceErrorCodes = [
  'service_error',
  'request_invalid',
  'response_invalid',
  'connection_failed',
  'timeout',
  'aborted',
  ...apiErrorCodes,
  ...paginationErrorCodes,
  ...archiveErrorCodes,
] as const
/** The code of a `ServiceError` or one of its subclasses. */
export type ServiceErrorCode = (typeof serviceErrorCodes)[number]
