import type * as z from 'zod/mini'
import { issuesOf } from '../../src/contract/schema/check.ts'
import { headers as wireHeaders } from '../../src/contract/wire.ts'
import { decodeBytes } from '../control/json-bytes.ts'
import { apiPath } from '../control/paths.ts'
import { MockError } from '../errors.ts'
import { toMockError } from './response-error.ts'

/** A served mock, and the headers and timeout of every request to it. */
export interface ControlTarget {
  baseUrl: string
  headers: Headers
  /** Milliseconds. */
  timeout: number
}

interface ControlResponse {
  status: number
  isOfMock: boolean
  text: string
}

/** Calls the control API of a served mock. */
export class ControlClient {
  readonly #mock: ControlTarget

  constructor(mock: ControlTarget) {
    this.#mock = mock
  }

  /**
   * Sends a request, and returns the JSON of the response.
   *
   * @param route Method and path, such as `GET /clock`.
   * @param schema The schema of `T`.
   * @throws {MockError} `unreachable` if the response does not match the schema.
   */
  async read<T>(route: string, schema: z.ZodMiniType, body?: unknown): Promise<T> {
    const value = await this.run(route, body)
    const [issue] = issuesOf(schema, value, 'body')
    // JSON keeps what the team returned, and its schema is that of the type.
    if (!issue) return value as T
    throw this.#unreachableError(
      `sent a response that does not match this version of the control API: expected ${issue.path} to be ${issue.expected}. Use the same version of health-lab-sdk on both sides.`,
    )
  }

  /** Sends a request, and returns the unchecked JSON of the response; undefined without a body. */
  async run(route: string, body?: unknown): Promise<unknown> {
    const [method = '', path = ''] = route.split(' ')
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

  /** Follows no redirect, because the API key and the token would go along. */
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
        ? `The mock at ${baseUrl} did not respond within ${timeout} ms. Increase the option timeout if the request takes longer.`
        : `No mock responds at ${baseUrl}. Start one: npx health-lab-sdk mock`
      throw new MockError('unreachable', message, { cause })
    }
  }

  #unreachableError(problem: string, cause?: unknown): MockError {
    return new MockError('unreachable', `The server at ${this.#mock.baseUrl} ${problem}`, { cause })
  }
}

function toJson(body: unknown): string | undefined {
  try {
    return JSON.stringify(body) as string | undefined
  } catch (cause) {
    throw new MockError(
      'invalid_option',
      'Expected a value that JSON can represent: no BigInt, no cycle, and at most a few thousand levels of nesting.',
      { cause },
    )
  }
}
