import type { Service } from './service.ts'
import type { Need } from './setup.ts'

/** One statement of the specification, or several that one exchange shows, as something to run. */
export interface ConformanceCase {
  /** The section and a name, such as `4.8/pending-in-time`. */
  id: string
  /** What the service does, in words. */
  title: string
  /** The rules it shows, by id. */
  rules: readonly string[]
  /** What it needs beyond HTTP. */
  needs: readonly Need[]
  /** Whether it leaves the service as it was. */
  readOnly: boolean
  /** What the specification leaves open and the case relies on; absent when it relies on nothing. */
  presumes?: string
}

/** A case with what it does. */
export interface RunnableCase extends ConformanceCase {
  /** @throws {Unmet} when a rule does not hold. */
  run(service: Service): Promise<void>
}

type Facts = Omit<RunnableCase, 'id' | 'needs' | 'readOnly'> &
  Partial<Pick<RunnableCase, 'needs' | 'readOnly'>>

/** Writes cases down by their ids; most need nothing, and change something. */
export function cases(written: Record<string, Facts>): RunnableCase[] {
  return Object.entries(written).map(([id, facts]) => ({
    id,
    needs: [],
    readOnly: false,
    ...facts,
  }))
}

/** The section of the specification that a case or a rule is of. */
export function sectionOf({ id }: { id: string }): string {
  return id.slice(0, id.indexOf('/'))
}
