import { issuesOf } from '../../src/contract/schema-tools/check.ts'
import { headers as wireHeaders } from '../../src/contract/wire.ts'
import { isObject } from '../../src/shared/narrow.ts'
import type { AnyInput, ControlArguments, ControlOutput, Send } from '../control/api.ts'
import { decodeBytes } from '../control/json-bytes.ts'
import { controlOperations } from '../control/operations.ts'
import { apiPath } from '../control/paths.ts'
import { addressOf, type ControlId, routeOf } from '../control/routes.ts'
import { MockError, type MockErrorCode, mockErrorCodes } from '../errors.ts'

/** A mock server, and the headers and timeout of every request to it. */
export interface ControlTarget {
  baseUrl: string
  headers: Headers
  /** In milliseconds. */
  timeout: number
}

interface ControlResponse {
  status: number
  isOfMock: boolean
  text: string
}

/** Calls a mock server's control API. Rejects responses that do not match their schemas. */
export class ControlClient {
  readonly #mock: ControlTarget

  constructor(mock: ControlTarget) {
    this.#mock = mock
  }

  /** @throws {MockError} if the call fails, or `unreachable` if the response does not match its schema. */
  readonly send: Send = async <Id extends ControlId>(id: Id, ...[input]: ControlArguments<Id>) => {
    const value = await this.#run(id, input ?? {})
    const { output } = controlOperations[id]
    const [issue] = output ? issuesOf(output, value, 'body') : []
    // The type is derived from the schema, which the value matches.
    if (!issue) return value as ControlOutput<Id>
    throw this.#unreachableError(
      `sent a response that does not match this version of the control API: expected ${issue.path} to be ${issue.expected}. Use the same version of health-lab-sdk on both sides.`,
    )
  }

  async #run(id: ControlId, { body, ...address }: AnyInput): Promise<unknown> {
    const { method, path: template } = routeOf(id)
    checkKey(template, Object.values(address.params ?? {}))
    const path = addressOf(id, address)
    const { status, isOfMock, text } = await this.#send(method, path, toJson(body))
    if (status < 200 || status > 299) throw toMockError(status, text)
    if (!isOfMock) throw this.#unreachableError('is not a mock. Check the URL.')
    if (text === '') return undefined
    try {
      return JSON.parse(text, decodeBytes)
    } catch (cause) {
      throw this.#unreachableError('sent a response that is not JSON. Check the URL.', cause)
    }
  }

  /** Sends a request without following redirects, because their targets would receive the API key and the token. */
  async #send(method: string, path: string, body: string | undefined): Promise<ControlResponse> {
    const { baseUrl, headers, timeout } = this.#mock
    const signal = AbortSignal.timeout(timeout)
    const init: RequestInit = {
      method,
      headers,
      redirect: 'manual',
      signal,
      ...(body ? { body } : {}),
    }
    try {
      const response = await fetch(`${baseUrl}${apiPath}${path}`, init)
      const isOfMock = response.headers.has(wireHeaders.requestId)
      return { status: response.status, isOfMock, text: await response.text() }
    } catch (cause) {
      const message = signal.aborted
        ? `The mock at ${baseUrl} did not respond within ${timeout} ms. Increase the timeout option if the request takes longer.`
        : `No mock is running at ${baseUrl}. Start one: npx health-lab-sdk mock`
      throw new MockError('unreachable', message, { cause })
    }
  }

  #unreachableError(problem: string, cause?: unknown): MockError {
    return new MockError('unreachable', `The server at ${this.#mock.baseUrl} ${problem}`, { cause })
  }
}

/**
 * Checks that every key part can be a path segment. URL parsers remove the segments `.` and `..`, escaped or not, so
 * the request would reach a different operation.
 *
 * @throws {MockError} `unknown_record` if a part cannot be a path segment.
 */
function checkKey(template: string, key: readonly unknown[]): void {
  if (key.every(isSegment)) return
  const path = template.replace(/\/\{.*/, '')
  throw new MockError(
    'unknown_record',
    `No record in ${path} has this key, because part of it cannot be a URL path segment.`,
  )
}

/** Returns whether a key part can be a path segment. Untyped callers may pass any value. */
function isSegment(part: unknown): boolean {
  if (typeof part !== 'string') return typeof part === 'number'
  return part.isWellFormed() && !['', '.', '..'].includes(part)
}

function toJson(body: unknown): string | undefined {
  try {
    return JSON.stringify(body)
  } catch (cause) {
    throw new MockError(
      'invalid_option',
      'Expected a value that JSON can represent: no BigInt, no cycle, and at most a few thousand levels of nesting.',
      { cause },
    )
  }
}

/** The error codes for responses without a known code, by status. */
const codesByStatus = new Map<number, MockErrorCode>([
  [401, 'access_denied'],
  [403, 'access_denied'],
  [413, 'invalid_option'],
  [422, 'invalid_option'],
  [500, 'defect'],
])

function toMockError(status: number, text: string): MockError {
  const { detail, code } = parseError(text)
  return new MockError(
    isErrorCode(code) ? code : (codesByStatus.get(status) ?? 'unreachable'),
    describeDetails(detail) ??
      `Expected a mock to respond, but got status ${status}. Check the URL.`,
  )
}

/**
 * Parses an error body. Returns an empty object for a body that is not a JSON object, because a different server may
 * send anything.
 */
function parseError(text: string): { detail?: unknown; code?: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** Returns whether a code is known. A different server or a newer mock may send an unknown code. */
function isErrorCode(code: unknown): code is MockErrorCode {
  return mockErrorCodes.some((known) => known === code)
}

function describeDetails(detail: unknown): string | undefined {
  if (typeof detail === 'string') return detail
  if (!Array.isArray(detail)) return undefined
  return detail.map(describeDetail).join('; ')
}

function describeDetail(detail: unknown): string {
  const { loc, msg }: { loc?: unknown; msg?: unknown } = Object(detail)
  const path = [loc].flat().filter((part) => ['string', 'number'].includes(typeof part))
  return `${path.join('.')}: ${typeof msg === 'string' ? msg : 'invalid'}`
}
