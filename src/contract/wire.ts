export const headers = {
  /** Request: the team's API key (specification part 5). */
  apiKey: 'x-service-api-key',
  /** Request: the idempotency key of an order creation (assumption). */
  idempotencyKey: 'x-idempotency-key',
  /** Response: the request's id (assumption). */
  requestId: 'x-request-id',
  /** Response: the trace context, used as the request's id if `x-request-id` is missing (assumption). */
  traceResponse: 'traceresponse',
  /** Response: when to retry, as a number of seconds or an HTTP date (assumption). */
  retryAfter: 'retry-after',
} as const

/** The HTTP methods that operations use. */
export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** The media type of a Parquet response (specification 4.11). */
export const parquetMediaType = 'application/vnd.service.tar+gzip+parquet'

export const environment = {
  apiKey: 'SERVICE_API_KEY',
  baseUrl: 'SERVICE_BASE_URL',
  log: 'SERVICE_LOG',
  /** Sets the default for `--token`, the token for a mock server's control API. */
  mockToken: 'HEALTH_LAB_MOCK_TOKEN',
  /** Sets the default for `--secret` in `health-lab-sdk certify` and `sync`. */
  webhookSecret: 'HEALTH_LAB_WEBHOOK_SECRET',
} as const
