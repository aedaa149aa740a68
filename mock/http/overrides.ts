import { checkOperation, type OperationAnswers, type OperationId } from '../base/operations.ts'
import { MockError } from '../errors.ts'
import { deepFreeze } from '../state/collection.ts'
import { deepestNesting, isDeeperThan } from './request.ts'

/** An answer that succeeded, as an override gets and gives it. */
export interface OverridableAnswer<Body = unknown> {
  status: number
  headers: Record<string, string>
  body: Body
}

/** What an override may look at. */
export interface OverrideContext {
  operation: OperationId
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, unknown>>
  body: unknown
  /** Team time. */
  now: Date
}

/** Rewrites an answer: what it gives back takes the place of what it got. */
export type Override<Id extends OperationId> = (
  response: OverridableAnswer<OperationAnswers[Id]>,
  context: OverrideContext,
) => Partial<OverridableAnswer>

type AnyOverride = (response: OverridableAnswer, context: OverrideContext) => object

/** The overrides of a team or of a mock, in the order of their adding. */
export class Overrides {
  #entries: { id: OperationId; override: AnyOverride }[] = []

  /** Adds an override; the function it gives takes it back. */
  add<Id extends OperationId>(id: Id, override: Override<Id>): () => void {
    checkOperation(id)
    // An override is called with answers of its own operation only.
    const entry = { id, override: override as unknown as AnyOverride }
    this.#entries.push(entry)
    return () => {
      this.#entries = this.#entries.filter((kept) => kept !== entry)
    }
  }

  clear(): void {
    this.#entries = []
  }

  /**
   * A response after every override of its operation. Each gets a frozen copy, and what it returns is copied.
   *
   * @throws {MockError} `invalid_option` when an override returns what is no response.
   */
  apply(
    { status, headers, body }: OverridableAnswer<unknown>,
    context: OverrideContext,
  ): OverridableAnswer {
    let rewritten: OverridableAnswer = { status, headers, body }
    for (const { id, override } of this.#entries) {
      if (id === context.operation) rewritten = rewrittenBy(override, rewritten, context)
    }
    return rewritten
  }
}

function rewrittenBy(
  override: AnyOverride,
  response: OverridableAnswer,
  context: OverrideContext,
): OverridableAnswer {
  const { now, ...request } = context
  const changes = override(sealed(response), { ...sealed(request), now: new Date(now) })
  const given = Object.entries(changesOf(changes, context)).filter(
    ([, value]) => value !== undefined,
  )
  return checked({ ...response, ...Object.fromEntries(given) }, context)
}

/** What an override returned; nothing changes nothing. */
function changesOf(changes: unknown, { operation }: OverrideContext): object {
  if (typeof changes === 'object' && !(changes instanceof Promise)) return changes ?? {}
  if (changes === undefined) return {}
  throw unusable(operation, 'it returned no object. Overrides are synchronous')
}

/** A copy in which nothing can be assigned. Bytes cannot be frozen; the copy alone protects them. */
function sealed<T extends { body: unknown }>(value: T): T {
  const copy = structuredClone(value)
  if (!(copy.body instanceof Uint8Array)) return deepFreeze(copy)
  return Object.freeze(copy)
}

function checked(
  { status, headers, body }: OverridableAnswer,
  { operation }: OverrideContext,
): OverridableAnswer {
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw unusable(operation, 'its status is no whole number from 200 to 599')
  }
  try {
    const copy = {
      status,
      headers: Object.fromEntries(new Headers(headers)),
      body: structuredClone(body),
    }
    if (!(copy.body instanceof Uint8Array)) checkDepth(copy.body)
    return copy
  } catch (cause) {
    throw unusable(operation, 'its headers or its body cannot be sent', cause)
  }
}

/** What reads the journal is recursive. */
function checkDepth(body: unknown): void {
  if (!isDeeperThan(deepestNesting, JSON.stringify(body) ?? '')) return
  throw new RangeError(`The body has more than ${deepestNesting} levels`)
}

function unusable(operation: string, reason: string, cause?: unknown): MockError {
  return new MockError(
    'invalid_option',
    `The override of ${operation} returned an unusable response: ${reason}.`,
    { cause },
  )
}
