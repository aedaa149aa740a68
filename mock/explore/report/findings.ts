import type { Violation, ViolationName } from '../invariants/names.ts'
import type { RunResult } from '../run/run.ts'
import { blamedLine } from './blame.ts'

/** A failure of a run. */
export interface Finding {
  /** What is wrong. */
  violation: Violation
  /** The run with the fewest faults that fails. */
  run: RunResult
}

/** A failure in plain values. */
export interface ExploreFinding {
  /** The violated rule. */
  violation: ViolationName
  /** The line of the program to look at, such as `src/orders.ts:12`; undefined if it is unknown. */
  line: string | undefined
  /** What is wrong. */
  message: string
  /** The line for `explore.replay`. */
  replay: string
}

/** The failures of a search, one for each cause: the rule with its message, and the line of the program. */
export class Findings {
  readonly #byCause = new Map<string, Finding>()

  /** The number of causes. */
  get size(): number {
    return this.#byCause.size
  }

  /** Adds a failure, unless its cause is known. */
  add(finding: Finding): void {
    const cause = causeOf(finding)
    if (!this.#byCause.has(cause)) this.#byCause.set(cause, finding)
  }

  /** Returns one failure for each cause, the first found one first. */
  list(): Finding[] {
    return [...this.#byCause.values()]
  }
}

/** Ids and counts in the message do not make another cause. */
function causeOf({ run, violation }: Finding): string {
  const { name, message } = violation
  return [name, blamedLine(run, violation), message.replaceAll(/[\w-]*\d[\w-]*/g, '')].join(' ')
}
