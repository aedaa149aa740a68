export const namedEffects = [
  'refuse_connection',
  'cut_before_response',
  'lose_response',
  'cut_mid_body',
  'malformed_json',
  'html',
] as const

/**
 * An effect without settings. `refuse_connection`: the connection is refused, so the request never arrives.
 * `cut_before_response`: the connection closes before the service handles the request. `lose_response`: the service
 * handles the request, but the response is lost. `cut_mid_body`: the connection closes in the middle of the body.
 * `malformed_json`: the body is invalid JSON. `html`: the response is an HTML page with status 200, as from a proxy.
 */
export type NamedEffect = (typeof namedEffects)[number]

export const drifts = ['unknown_values', 'extra_fields', 'nulls', 'missing_fields'] as const

/**
 * A response change that a tolerant client accepts: unknown enumeration values, unknown fields, or null or missing
 * values where the contract allows them.
 */
export type DriftEffect = (typeof drifts)[number]

export const archiveCorruptions = ['truncated', 'traversal', 'bomb', 'bad_footer'] as const

/**
 * A kind of corrupt Parquet archive. `truncated`: it ends halfway. `traversal`: it contains the path `../0.parquet`.
 * `bomb`: it contains a 256 MiB file. `bad_footer`: it contains a file that is not Parquet.
 */
export type ArchiveCorruption = (typeof archiveCorruptions)[number]

export const retryAfterForms = ['seconds', 'date'] as const
