import { ownFields } from '../../shared/own-fields.ts'
import { ApiError, type ErrorResponse } from './api-error.ts'
import type { ErrorFacts } from './service-error.ts'

/** Thrown for status 400: the request violates one of the service's rules. */
export class BadRequestError extends ApiError {
  static override readonly kind: string = 'BadRequestError'
  override readonly code = 'bad_request'
}

/** Thrown for status 401: the API key is missing or unknown. */
export class AuthenticationError extends ApiError {
  static override readonly kind: string = 'AuthenticationError'
  override readonly code = 'authentication_failed'
}

/** Thrown for status 403: the key lacks permission, or the feature is not enabled for the team. */
export class PermissionDeniedError extends ApiError {
  static override readonly kind: string = 'PermissionDeniedError'
  override readonly code = 'permission_denied'
}

/** Thrown for status 404: the record or the path does not exist. */
export class NotFoundError extends ApiError {
  static override readonly kind: string = 'NotFoundError'
  override readonly code = 'not_found'
}

/** Thrown for status 409: the request conflicts with the current state. */
export class ConflictError extends ApiError {
  static override readonly kind: string = 'ConflictError'
  override readonly code = 'conflict'
}

/**
 * Thrown for status 422: the service rejected one or more values. The message lists their paths and error types;
 * `detail` contains the service's explanation.
 */
export class UnprocessableEntityError extends ApiError {
  static override readonly kind: string = 'UnprocessableEntityError'
  override readonly code = 'unprocessable_entity'
}

/** Thrown for status 429: too many requests. */
export class RateLimitError extends ApiError {
  static override readonly kind: string = 'RateLimitError'
  override readonly code = 'rate_limited'
}

/**
 * Thrown for status 500 and above: the service failed, or a synchronous booking failed or was not confirmed
 * (specification part 7).
 */
export class InternalServerError extends ApiError {
  static override readonly kind: string = 'InternalServerError'
  override readonly code = 'internal_server_error'
}

const classes: Record<number, typeof ApiError> = ownFields({
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  422: UnprocessableEntityError,
  429: RateLimitError,
})

export function createApiError(response: ErrorResponse, facts: ErrorFacts): ApiError {
  const { status } = response
  const Class = classes[status] ?? (status >= 500 ? InternalServerError : ApiError)
  return new Class(response, facts)
}
