import type { Violation, ViolationName } from '../invariants/names.ts'
import type { Plan } from '../plan/plan.ts'
import { programLine } from '../run/lines.ts'
import type { RunResult } from '../run/run.ts'
import { describeTimeline } from './timeline.ts'

/** A failure, as plain values. */
export interface ExploreFinding {
  /** The violated rule. */
  violation: ViolationName
  /** The program line to check, such as `src/orders.ts:12`, or undefined if unknown. */
  line: string | undefined
  /** A description of the failure. */
  message: string
  /** The line to pass to `explore.replay`. */
  replay: string
}

/** A failure, as it occurred in the run with the fewest faults. */
export interface Finding extends Omit<ExploreFinding, 'replay'> {
  plan: Plan
  timeline: readonly string[]
  cause?: unknown
}

export function toFinding(run: RunResult, violation: Violation): Finding {
  const { name, message, cause } = violation
  const { plan } = run
  const line = blamedLine(run, violation)
  return { violation: name, line, message, plan, timeline: describeTimeline(run), cause }
}

/**
 * The failures of a search, one per cause. Failures with the same rule, message and program line are assumed to have
 * the same cause.
 */
export class Findings {
  readonly #byCause = new Map<string, Finding>()

  get size(): number {
    return this.#byCause.size
  }

  add(finding: Finding): void {
    const cause = causeOf(finding)
    if (!this.#byCause.has(cause)) this.#byCause.set(cause, finding)
  }

  list(): Finding[] {
    return [...this.#byCause.values()]
  }
}

/** Returns a key that is equal for failures with the same cause. Ignores ids and counts in the message. */
function causeOf({ violation, line, message }: Finding): string {
  return [violation, line, message.replaceAll(/[\w-]*\d[\w-]*/g, '')].join(' ')
}

/** The rules whose errors are thrown at the faulty line. A check's error is thrown where the check compares values. */
const thrownInPlace = ['rejections', 'intolerant', 'environment', 'restart', 'scenario', 'endless']

/**
 * Returns the program line to check, from the first of these that has one: the step that violates the rule, an error
 * thrown at the faulty line, the first step with a fault, the check's error, or the last step.
 */
function blamedLine(run: RunResult, { name, step, cause }: Violation): string | undefined {
  const error = cause instanceof Error ? cause : undefined
  const thrown = thrownInPlace.includes(name) ? programLine(error?.stack) : undefined
  const faulty = run.steps.find(({ fault, line }) => fault !== undefined && line?.() !== undefined)
  const last = run.steps.findLast(({ line }) => line?.() !== undefined)
  const inCheck = programLine(error?.stack)
  return step?.line?.() ?? thrown ?? faulty?.line?.() ?? inCheck ?? last?.line?.()
}
