import { check, type Issue } from '../../contract/schema/check.ts'
import type { Endpoint } from '../../contract/schema/endpoint.ts'
import { version } from '../../version.ts'
import { RequestValidationError } from '../errors.ts'
import { lowerCased } from '../headers.ts'
import { carriedByJson, isUnreadable } from '../input-copy.ts'
import {
  callIssues,
  greatestTimer,
  type HookEvent,
  type RequestOptions,
  type Settings,
} from '../options.ts'
import { ownParam, pathIssues, type QueryValues, queryIssues, urlOf } from '../url.ts'

/** The input of a call, copied when it was made. */
export interface Input {
  params?: Record<string, unknown> | undefined
  query?: object | undefined
  body?: unknown
}

/** A request that was found good, ready to be sent. */
export interface Prepared {
  url: string
  method: string
  headers: Record<string, string>
  body: string | undefined
  /** Milliseconds for one attempt. */
  timeout: number
  /** Milliseconds for the whole call. */
  deadline: number
  maxRetries: number
}

const defaultDeadline = 90_000

/** Checks a call's input against its endpoint and writes the request. */
export function prepare(
  call: HookEvent,
  endpoint: Endpoint,
  input: Input,
  settings: Settings,
  options: RequestOptions,
): Prepared {
  const issues = inputIssues(endpoint, input, options)
  const { params, query } = input
  const body = jsonOf(input.body)
  if (body === unwritable) issues.push({ path: 'body', expected: carriedByJson })
  if (issues.length > 0 || body === unwritable) throw new RequestValidationError(issues, call)
  // The body passed its schema, which is what serviceWait is written for.
  const wait = endpoint.serviceWait?.(input.body as never) ?? 0
  return {
    url: urlOf(settings.baseUrl, endpoint.path, params, query as QueryValues),
    method: endpoint.method,
    headers: headersOf(endpoint, settings, options, body !== undefined),
    body,
    ...limitsOf(settings, options, wait),
  }
}

/** What the user bounds exactly holds exactly; the service's own wait extends the rest. */
function limitsOf(settings: Settings, options: RequestOptions, wait: number) {
  return {
    timeout: options.timeout ?? Math.min(greatestTimer, settings.timeout + wait),
    deadline: options.deadline ?? settings.deadline ?? defaultDeadline + wait,
    maxRetries: options.maxRetries ?? settings.maxRetries,
  }
}

const unwritable = Symbol('unwritable')

/** A body's JSON. The error of what JSON cannot carry may quote it, so it is dropped. */
function jsonOf(body: unknown): string | undefined | typeof unwritable {
  if (body === undefined) return undefined
  if (isUnreadable(body)) return unwritable
  try {
    return JSON.stringify(body) ?? unwritable
  } catch {
    return unwritable
  }
}

function inputIssues(
  endpoint: Endpoint,
  { params = {}, query = {}, body }: Input,
  options: RequestOptions,
): Issue[] {
  const issues = [...callIssues(options), ...pathIssues(endpoint.path, params)]
  for (const [name, schema] of Object.entries(endpoint.params ?? {})) {
    const isReported = issues.some(({ path }) => path === name)
    if (!isReported) issues.push(...check(schema, ownParam(params, name), name))
  }
  const inQuery = endpoint.query ? check(endpoint.query, query, 'query') : []
  issues.push(...(inQuery.length > 0 ? inQuery : queryIssues(query)))
  if (endpoint.body && !isUnreadable(body)) issues.push(...check(endpoint.body, body, 'body'))
  return issues
}

function headersOf(
  endpoint: Endpoint,
  settings: Settings,
  options: RequestOptions,
  hasBody: boolean,
): Record<string, string> {
  return {
    accept: endpoint.accept ?? 'application/json',
    // A download is complete when it has as many bytes as announced, which only holds of bytes that are not encoded.
    ...(endpoint.responses[200] === 'binary' ? { 'accept-encoding': 'identity' } : {}),
    'user-agent': `health-lab-sdk/${version}`,
    ...(hasBody ? { 'content-type': 'application/json' } : {}),
    ...settings.headers,
    ...(options.headers ? lowerCased(options.headers) : {}),
  }
}
