import { invariantNames, type Violation, type ViolationName } from './invariants/names.ts'
import { describeFault } from './plan/fault-names.ts'
import { formatReplay } from './plan/replay-line.ts'
import { blamedLine } from './report/blame.ts'
import type { ExploreReport } from './report/report.ts'
import { describeTimeline } from './report/timeline.ts'
import type { RunResult } from './run/run.ts'

/** A failure of a run. */
export interface Finding {
  /** What is wrong. */
  violation: Violation
  /** The run with the fewest faults that fails. */
  run: RunResult
  /** Whether a second run with the same faults fails too. */
  isRepeatable: boolean
}

/** Thrown when a run fails: the message names the faults, shows the timeline, and has the line that replays it. */
export class ExploreError extends Error {
  override name = 'ExploreError'
  /** The line of the program to look at, such as `src/orders.ts:12`; undefined if it is unknown. */
  readonly line: string | undefined
  /** The violated rule. */
  readonly violation: ViolationName
  /** The line for `explore.replay`. */
  readonly replay: string
  /** What was tested until then. */
  readonly report: ExploreReport

  constructor(finding: Finding, report: ExploreReport) {
    const { violation, run } = finding
    const replay = formatReplay({ seed: report.seed, plan: run.plan })
    const { cause } = violation
    super(describeFinding(finding, replay, report), cause === undefined ? {} : { cause })
    this.line = blamedLine(run, violation)
    this.violation = violation.name
    this.replay = replay
    this.report = report
  }
}

function describeFinding(
  { violation, run, isRepeatable }: Finding,
  replay: string,
  { runs }: ExploreReport,
): string {
  const faults = run.plan.map((fault, index) => `  ${index + 1}. ${describeFault(fault)}`)
  const line = blamedLine(run, violation)
  return [
    line ? `${line}: ${violation.message}` : violation.message,
    `${remedyOf(violation)} Run ${runs} of explore failed.`,
    '',
    ...(faults.length > 0 ? ['Faults:', ...faults] : ['This happens without any fault.']),
    '',
    'Timeline in virtual time:',
    ...describeTimeline(run).map((line) => `  ${line}`),
    '',
    isRepeatable
      ? 'Replay it:'
      : 'A second run with the same faults did not fail: your program depends on something outside the mock, such as real time or random values. Replay it:',
    `  await explore.replay('${replay}', options)`,
  ].join('\n')
}

function remedyOf({ name }: Violation): string {
  return invariantNames.some((known) => known === name)
    ? `Correct your program. If this is intended, set invariants: { ${name}: false }.`
    : 'Correct your program or its check.'
}
