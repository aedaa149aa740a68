import { present } from '../../src/shared/narrow.ts'
import { invariantNames, type ViolationName } from './invariants/names.ts'
import { describeFault } from './plan/fault-names.ts'
import { formatReplay } from './plan/replay-line.ts'
import type { ExploreFinding, Finding } from './report/findings.ts'
import type { ExploreReport } from './report/report.ts'

/**
 * Thrown when a run fails. The message names the faults, shows the timeline, and contains the line that replays the
 * run.
 */
export class ExploreError extends Error {
  override name = 'ExploreError'
  /** The program line to check, such as `src/orders.ts:12`, or undefined if unknown. */
  readonly line: string | undefined
  /** The violated rule. */
  readonly violation: ViolationName
  /** The line to pass to `explore.replay`. */
  readonly replay: string
  /** A report on what was tested before the failure. */
  readonly report: ExploreReport

  /** One failure per cause, in the order found. Contains more than one failure only if `all` is set. */
  readonly findings: readonly ExploreFinding[]

  /** @param all At least one failure. */
  constructor(all: readonly Finding[], report: ExploreReport) {
    const findings = all.map((finding) => toPlain(finding, report))
    const first = present(all[0])
    const { cause } = first
    super(describeFindings(first, findings, report), cause === undefined ? {} : { cause })
    const { violation, line, replay } = present(findings[0])
    this.findings = findings
    this.violation = violation
    this.line = line
    this.replay = replay
    this.report = report
  }
}

function toPlain(
  { violation, line, message, plan }: Finding,
  { seed }: ExploreReport,
): ExploreFinding {
  return { violation, line, message, replay: formatReplay({ seed, plan }) }
}

function describeFindings(
  { violation, plan, timeline }: Finding,
  [first, ...others]: readonly ExploreFinding[],
  { runs }: ExploreReport,
): string {
  const faults = plan.map((fault, index) => `  ${index + 1}. ${describeFault(fault)}`)
  const list = others.flatMap((other) => [`  ${headline(other)}`, `    '${other.replay}'`])
  return [
    headline(present(first)),
    `${remedyOf(violation)} explore ran your program ${runs === 1 ? 'once' : `${runs} times`}.`,
    '',
    ...(faults.length > 0 ? ['Faults:', ...faults] : ['This happens even without faults.']),
    '',
    'Timeline in virtual time:',
    ...timeline.map((line) => `  ${line}`),
    '',
    'Replay it:',
    `  await explore.replay('${first?.replay}', options)`,
    ...(list.length > 0 ? ['', 'Failures with other causes:', ...list] : []),
  ].join('\n')
}

function headline({ line, message }: ExploreFinding): string {
  return line ? `${line}: ${message}` : message
}

function remedyOf(name: ViolationName): string {
  return invariantNames.some((known) => known === name)
    ? `Fix your program. If this is intended, set invariants: { ${name}: false }.`
    : 'Fix your program or its check.'
}
