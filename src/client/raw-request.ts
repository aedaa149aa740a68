import type { Issue } from '../contract/schema-tools/check.ts'
import type { Effect, Endpoint, Method } from '../contract/schema-tools/endpoint.ts'
import { ownFields } from '../shared/own-fields.ts'
import { Call } from './call.ts'
import { copyJson, isUnreadable, tryRead } from './copy-input.ts'
import { RequestValidationError } from './errors/validation-errors.ts'
import { unknownOptionIssues } from './options/check-options.ts'
import { type RequestOptions, requestOptionRules } from './options/request-options.ts'
import type { Transport } from './transport/transport.ts'
import type { QueryValues } from './url.ts'

/** Parameters, query and body for `client.request`, in addition to the options for every call. */
export interface RawRequestOptions extends RequestOptions {
  /** Values for the path's `{placeholders}`; they are URL-encoded. */
  params?: Record<string, string> | undefined
  /** Query parameters; null and undefined are not sent. */
  query?: QueryValues | undefined
  /** The body, sent as JSON. Not allowed with GET. */
  body?: unknown
}

const optionNames = ['params', 'query', 'body', ...Object.keys(requestOptionRules)]

const effects: Record<Method, Effect> = {
  GET: 'read-only',
  PUT: 'idempotent',
  DELETE: 'idempotent',
  POST: 'non-idempotent',
  PATCH: 'non-idempotent',
}

/** Sends a request for `client.request`. Rejects, rather than throws, if an argument is invalid. */
export function sendRawRequest(
  transport: Transport,
  method: Method,
  path: string,
  init: RawRequestOptions,
): Call<unknown> {
  const copy = tryRead(() => ownFields(init))
  const { params: _, query, body, ...options } = copy
  // Untyped callers may pass null.
  const params = copyJson(copy.params) ?? undefined
  const isTemplate = /\{\w+\}/.test(asString(path)) && Object.keys(params ?? {}).length > 0
  const shownPath = isTemplate ? maskPath(path) : '(a path without placeholders)'
  const issues = requestIssues(method, path, copy)
  if (issues.length > 0) {
    const error = new RequestValidationError(issues, { operation: 'request', route: shownPath })
    return new Call(Promise.reject(error))
  }
  const endpoint: Endpoint = ownFields({
    id: 'request',
    method,
    path,
    effect: effects[method],
    responses: ownFields({}),
  })
  return transport.exchange(() => endpoint, { params, query, body }, options, shownPath)
}

/** A path segment that is safe to print: empty, a version such as `v2`, lower-case words, or a placeholder. */
const printableSegment = /^(?:|v\d{1,3}|[a-z]{1,30}(?:[_-][a-z]{1,30}){0,5}|\{[a-zA-Z]\w{0,39}\})$/

function maskPath(path: string): string {
  return path
    .split('/')
    .map((segment) => (printableSegment.test(segment) ? segment : '*'))
    .join('/')
}

function requestIssues(method: Method, path: string, init: RawRequestOptions): Issue[] {
  if (isUnreadable(init)) return [{ path: 'init', expected: 'an object' }]
  const issues: Issue[] = []
  if (!Object.hasOwn(effects, asString(method))) {
    issues.push({ path: 'method', expected: `one of ${Object.keys(effects).join(', ')}` })
  }
  if (!isPath(asString(path))) {
    const expected =
      'a path with one leading slash, without dot segments, incomplete escapes, query or fragment'
    issues.push({ path: 'path', expected })
  }
  if (method === 'GET' && init.body !== undefined) {
    issues.push({ path: 'body', expected: 'no body in a GET request' })
  }
  return [...issues, ...unknownOptionIssues(init, optionNames)]
}

/** Returns whether a path stays below the base URL. */
function isPath(path: string): boolean {
  // URL parsers drop trailing control characters, which could create a `/..` segment.
  if (!/^\/(?!\/)[^?#\\\s\p{Cc}]*$/u.test(path)) return false
  // A parameter could complete the escape of a dot, as in `%2{a}`.
  if (/%(?![0-9a-f]{2})/i.test(path)) return false
  return path.split('/').every((segment) => !/^(?:\.|%2e){1,2}$/i.test(segment))
}

/** Returns an empty string for any other type, because untyped callers may pass anything. */
function asString(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
