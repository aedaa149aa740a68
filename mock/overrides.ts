import { checkOperation, type OperationAnswers, type OperationId } from './operations.ts'

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

  apply(answer: OverridableAnswer, context: OverrideContext): OverridableAnswer {
    let rewritten = answer
    for (const { id, override } of this.#entries) {
      if (id === context.operation) rewritten = { ...rewritten, ...override(rewritten, context) }
    }
    return rewritten
  }
}
