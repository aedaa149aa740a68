import type { TestedService } from './service.ts'
import type { Need } from './setup.ts'

/** A check for one or more of the specification's rules. */
export interface ConformanceCase {
  /** The section and name, such as `3.1/pending-in-time`. */
  id: string
  /** What the service must do. */
  title: string
  /** The ids of the rules that the case checks. */
  rules: readonly string[]
  /** The setup functions that the case requires. */
  needs: readonly Need[]
  /** Whether the case leaves the service unchanged. */
  readOnly: boolean
  /** The assumption on which the case depends, if any. */
  assumption?: string
}

export interface RunnableCase extends ConformanceCase {
  /** @throws {ExpectationError} when the service violates a rule. */
  run(service: TestedService): Promise<void>
}

/** `readOnly` defaults to false, and `needs` defaults to the first argument of {@link defineCases}. */
type CaseDefinition = Omit<RunnableCase, 'id' | 'needs' | 'readOnly'> &
  Partial<Pick<RunnableCase, 'needs' | 'readOnly'>>

export function defineCases(
  needs: readonly Need[],
  definitions: Record<string, CaseDefinition>,
): RunnableCase[] {
  return Object.entries(definitions).map(([id, definition]) => {
    return { id, needs, readOnly: false, ...definition }
  })
}

export function sectionOf({ id }: { id: string }): string {
  return id.slice(0, id.indexOf('/'))
}
