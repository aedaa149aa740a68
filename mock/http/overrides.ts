import type { OperationResponses } from '../../src/contract/endpoints.ts'
import type { OperationId } from '../../src/contract/operations.ts'
import { isBytes } from '../../src/shared/narrow.ts'
import { MockError, messageOf } from '../errors.ts'
import { checkOperation } from '../faults/operation-pattern.ts'
import { deepFreeze } from '../shared/freeze.ts'
import { runAtOnce } from '../shared/slices.ts'
import { parseJsonInSteps } from './request/parse-json.ts'
import { deepestNesting } from './request/parse-request.ts'

/** A successful response that is passed to an override. */
export interface OverridableResponse<Body = unknown> {
  /** The status, from 200 to 599. */
  status: number
  /** The headers, keyed by name. The mock adds content-type, content-length and x-request-id. */
  headers: Record<string, string>
  /** The body, as parsed JSON or bytes. */
  body: Body
}

/** The request that produced the response. */
export interface OverrideContext {
  /** The operation's id, such as `orders.create`. */
  operation: OperationId
  /** The path parameters. */
  params: Readonly<Record<string, string>>
  /** The query parameters. */
  query: Readonly<Record<string, unknown>>
  /** The parsed JSON body, or undefined if there is no body. */
  body: unknown
  /** The virtual time at which the override runs. */
  now: Date
}

/** Returns the response fields to replace. */
export type Override<Id extends OperationId> = (
  response: OverridableResponse<OperationResponses[Id]>,
  context: OverrideContext,
) => Partial<OverridableResponse>

type AnyOverride = (response: OverridableResponse, context: OverrideContext) => object

/** The overrides of a team or mock, in insertion order. */
export class Overrides {
  #entries: { id: OperationId; override: AnyOverride }[] = []

  add<Id extends OperationId>(id: Id, override: Override<Id>): () => void {
    checkOperation(id)
    // An override receives only responses of its own operation.
    const entry = { id, override: override as unknown as AnyOverride }
    this.#entries.push(entry)
    return () => {
      this.#entries = this.#entries.filter((kept) => kept !== entry)
    }
  }

  clear(): void {
    this.#entries = []
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0
  }

  /**
   * Applies all of an operation's overrides to a response. Each override receives a frozen copy, and its result is
   * copied.
   *
   * @throws {MockError} `invalid_option` if an override returns an invalid response.
   */
  apply(
    { status, headers, body }: OverridableResponse<unknown>,
    context: OverrideContext,
  ): OverridableResponse {
    let response: OverridableResponse = { status, headers, body }
    for (const { id, override } of this.#entries) {
      if (id === context.operation) response = applyOverride(override, response, context)
    }
    return response
  }
}

function applyOverride(
  override: AnyOverride,
  response: OverridableResponse,
  context: OverrideContext,
): OverridableResponse {
  const { now, ...request } = context
  const changes = callOverride(() =>
    override(freezeCopy(response), { ...freezeCopy(request), now: new Date(now) }),
  )
  const given = Object.entries(checkChanges(changes, context)).filter(
    ([, value]) => value !== undefined,
  )
  return copyResponse({ ...response, ...Object.fromEntries(given) }, context)
}

/** Rethrows thrown objects unchanged, and wraps other thrown values in a {@link MockError}. */
function callOverride(call: () => unknown): unknown {
  try {
    return call()
  } catch (error) {
    if (typeof error === 'object' && error !== null) throw error
    throw new MockError(
      'invalid_option',
      `An override threw ${messageOf(error)}, which is not an Error. Throw an Error.`,
      { cause: error },
    )
  }
}

function checkChanges(changes: unknown, { operation }: OverrideContext): object {
  if (typeof changes === 'object' && !(changes instanceof Promise)) return changes ?? {}
  if (changes === undefined) return {}
  throw invalidResponse(operation, 'expected an object, not a promise or a primitive value')
}

/** Returns a frozen copy. It is frozen deeply unless the body is binary, because bytes cannot be frozen. */
function freezeCopy<T extends { body: unknown }>(value: T): T {
  const copy = structuredClone(value)
  if (!isBytes(copy.body)) return deepFreeze(copy)
  return Object.freeze(copy)
}

function copyResponse(
  { status, headers, body }: OverridableResponse,
  { operation }: OverrideContext,
): OverridableResponse {
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw invalidResponse(operation, 'expected a status from 200 to 599')
  }
  try {
    const copy = {
      status,
      headers: Object.fromEntries(new Headers(headers)),
      body: structuredClone(body),
    }
    if (!isBytes(copy.body)) checkDepth(copy.body)
    return copy
  } catch (cause) {
    throw invalidResponse(operation, 'its headers or body cannot be sent', cause)
  }
}

/** Rejects a body that is nested too deeply for recursive functions, such as those that read the journal. */
function checkDepth(body: unknown): void {
  runAtOnce(parseJsonInSteps(JSON.stringify(body) ?? 'null', deepestNesting))
}

function invalidResponse(operation: string, reason: string, cause?: unknown): MockError {
  return new MockError(
    'invalid_option',
    `The override for ${operation} returned an invalid response: ${reason}.`,
    { cause },
  )
}
