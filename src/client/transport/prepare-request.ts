import { check, type Issue } from '../../contract/schema-tools/check.ts'
import type { Endpoint } from '../../contract/schema-tools/endpoint.ts'
import { headers as wireHeaders } from '../../contract/wire.ts'
import { memo } from '../../shared/memo.ts'
import { toJson, withoutAddedFields } from '../../shared/own-fields.ts'
import type { CallSite } from '../../shared/stack.ts'
import { version } from '../../version.ts'
import { isUnreadable, jsonRequirement } from '../copy-input.ts'
import { RequestValidationError } from '../errors/validation-errors.ts'
import { type HeaderPair, toLowerCaseHeaders } from '../headers.ts'
import type { HookEvent } from '../hooks.ts'
import { findOptionIssues } from '../options/check-options.ts'
import { type CreateOrderOptions, createOrderOptionRules } from '../options/create-order-options.ts'
import { requestOptionRules } from '../options/request-options.ts'
import type { ClientSettings } from '../options/settings.ts'
import {
  buildUrl,
  ownParam,
  type PathTemplate,
  pathIssues,
  type QueryValues,
  queryIssues,
  splitPath,
} from '../url.ts'
import { timeLimitsOf } from './time-limit.ts'

export interface CallInput {
  params?: Record<string, unknown> | undefined
  query?: object | undefined
  body?: unknown
}

interface RequestParts {
  endpoint: Endpoint
  input: CallInput
  settings: ClientSettings
  options: CreateOrderOptions
  callSite: CallSite
}

export interface PreparedRequest {
  url: string
  method: string
  /** The headers without the API key. */
  headers: readonly HeaderPair[]
  body: string | undefined
  /** The timeout for one attempt, in milliseconds. */
  timeout: number
  /** The time limit for the whole call, in milliseconds. */
  deadline: number
  maxRetries: number
  /** The call's input. Its ids are compared with the ids that the response echoes. */
  input: CallInput
}

const templateOf = memo(({ path }: Endpoint) => splitPath(path))
const userAgent = `health-lab-sdk/${version}`

export function prepareRequest(call: HookEvent, parts: RequestParts): PreparedRequest {
  const { endpoint, input, settings, options, callSite } = parts
  const template = templateOf(endpoint)
  const issues = withoutAddedFields(() => inputIssues(parts, template))
  const body = serialize(input.body)
  if (body === unserializable) issues.push({ path: 'body', expected: jsonRequirement })
  if (issues.length > 0 || body === unserializable) {
    throw new RequestValidationError(issues, { ...call, callSite })
  }
  // The body passed its schema, which defines the parameter type of serviceWait.
  const wait = endpoint.serviceWait?.(input.body as never) ?? 0
  return {
    // The query passed `queryIssues`.
    url: buildUrl(settings.baseUrl, template, input.params, input.query as QueryValues),
    method: endpoint.method,
    headers: requestHeaders(parts, body !== undefined),
    body,
    input,
    ...timeLimitsOf(wait, options, settings),
    maxRetries: options.maxRetries ?? settings.maxRetries,
  }
}

const unserializable = Symbol('unserializable')

/** Serializes a body. Drops the error for a value that JSON cannot represent, because the error may quote the value. */
function serialize(body: unknown): string | undefined | typeof unserializable {
  if (body === undefined) return undefined
  if (isUnreadable(body)) return unserializable
  try {
    return toJson(body, 'toJSON' in Array.prototype ? keepValue : undefined) ?? unserializable
  } catch {
    return unserializable
  }
}

/**
 * A JSON replacer that bypasses `toJSON` methods that other code added to built-in prototypes. `copyInput` has already
 * called all other `toJSON` methods.
 */
function keepValue(this: Record<string, unknown>, key: string): unknown {
  return this[key]
}

function inputIssues({ endpoint, input, options }: RequestParts, template: PathTemplate): Issue[] {
  const { params = {}, query = {}, body } = input
  const rules = endpoint.acceptsIdempotencyKey ? createOrderOptionRules : requestOptionRules
  const issues = findOptionIssues(options, rules)
  issues.push(...pathIssues(template, params))
  for (const [name, schema] of Object.entries(endpoint.params ?? {})) {
    const isReported = issues.some(({ path }) => path === name)
    if (!isReported) issues.push(...check(schema, ownParam(params, name), name))
  }
  const violations = endpoint.query ? check(endpoint.query, query, 'query') : []
  issues.push(...(violations.length > 0 ? violations : queryIssues(query)))
  if (endpoint.body && !isUnreadable(body)) issues.push(...check(endpoint.body, body, 'body'))
  return issues
}

/** Returns the headers without the API key. If a name appears more than once, its last value is sent. */
function requestHeaders(
  { endpoint, settings, options }: RequestParts,
  hasBody: boolean,
): readonly HeaderPair[] {
  const headers: HeaderPair[] = [
    ['accept', endpoint.accept ?? 'application/json'],
    ['user-agent', userAgent],
  ]
  if (hasBody) headers.push(['content-type', 'application/json'])
  headers.push(...settings.headers)
  if (options.headers) headers.push(...toLowerCaseHeaders(options.headers))
  if (options.idempotencyKey !== undefined) {
    headers.push([wireHeaders.idempotencyKey, options.idempotencyKey])
  }
  // A download is checked against its content-length, which counts encoded bytes, so the body must not be encoded.
  if (endpoint.responses[200] === 'binary') headers.push(['accept-encoding', 'identity'])
  return headers
}
