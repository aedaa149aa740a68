import type { Violation } from '../invariants/names.ts'
import { programLine } from '../run/lines.ts'
import type { RunResult } from '../run/run.ts'

/** The rules whose error is thrown where the program is wrong; a check throws where it compares. */
const thrownInPlace = ['rejections', 'intolerant', 'environment', 'restart', 'scenario', 'endless']

/**
 * Returns the line of the program to look at: the line of the step that violates the rule, of the error, of the step with the
 * first fault, or of the last step.
 */
export function blamedLine(run: RunResult, { name, step, cause }: Violation): string | undefined {
  const error = cause instanceof Error ? cause : undefined
  const thrown = thrownInPlace.includes(name) ? programLine(error?.stack) : undefined
  const faulty = run.steps.find(({ fault, line }) => fault !== undefined && line?.() !== undefined)
  const last = run.steps.findLast(({ line }) => line?.() !== undefined)
  const inCheck = programLine(error?.stack)
  return step?.line?.() ?? thrown ?? faulty?.line?.() ?? inCheck ?? last?.line?.()
}
