import { isOfKind, kindsKey, kindsOf } from '../../src/contract/values/kinds.ts'

/** An item in the `detail` of a 422 response. */
export interface ValidationDetail {
  type: string
  /** `path`, `query` or `body`, followed by the path of the value. */
  loc: (string | number)[]
  msg: string
  input: unknown
}

/**
 * Thrown to respond with an error. `instanceof` also works across copies of this module, because the routes load a
 * second copy after Jest's `resetModules`.
 */
export class HttpError extends Error {
  /** The class name, unchanged by minifiers. */
  static readonly kind = 'HttpError'
  readonly status: number
  readonly detail: string | ValidationDetail[]
  /** Additional response headers, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    detail: string | ValidationDetail[],
    headers: Record<string, string> = {},
  ) {
    super(typeof detail === 'string' ? detail : `${detail.length} invalid values`)
    this.status = status
    this.detail = detail
    this.headers = headers
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isOfKind(value, this)
  }

  get [kindsKey](): readonly string[] {
    return kindsOf(this)
  }
}

export function badRequest(detail: string): HttpError {
  return new HttpError(400, detail)
}

export function forbidden(detail: string): HttpError {
  return new HttpError(403, detail)
}

export function notFound(noun: string): HttpError {
  return new HttpError(404, `${noun} not found`)
}

export function unprocessable(details: ValidationDetail[]): HttpError {
  return new HttpError(422, details)
}
