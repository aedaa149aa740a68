import type { Violation } from '../invariants/names.ts'
import { programLine } from '../run/lines.ts'
import type { RunResult } from '../run/run.ts'

/** The rules whose errors are thrown at the faulty line. A check's error is thrown where the check compares values. */
const thrownInPlace = ['rejections', 'intolerant', 'environment', 'restart', 'scenario', 'endless']

/**
 * Returns the program line to check. In order of preference: the step that violates the rule, an error thrown at the faulty
 * line, the first step with a fault, the check's error, and the last step.
 */
export function blamedLine(run: RunResult, { name, step, cause }: Violation): string | undefined {
  const error = cause instanceof Error ? cause : undefined
  const thrown = thrownInPlace.includes(name) ? programLine(error?.stack) : undefined
  const faulty = run.steps.find(({ fault, line }) => fault !== undefined && line?.() !== undefined)
  const last = run.steps.findLast(({ line }) => line?.() !== undefined)
  const inCheck = programLine(error?.stack)
  return step?.line?.() ?? thrown ?? faulty?.line?.() ?? inCheck ?? last?.line?.()
}
