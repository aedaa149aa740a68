import { countActions } from './invariants/doubled.ts'
import { type CleanRun, findCleanViolation, findViolation } from './invariants/find-violation.ts'
import type { Violation } from './invariants/names.ts'
import { countSends } from './invariants/requests.ts'
import type { ExploreSettings } from './options.ts'
import { enumeratePairs, enumerateSingles, type RankedPlan } from './plan/enumerate.ts'
import type { Plan } from './plan/plan.ts'
import { formatReplay } from './plan/replay-line.ts'
import { type Finding, toFinding } from './report/findings.ts'
import { type RunResult, runOnce } from './run/run.ts'

/**
 * The maximum number of requests and waits. With faults, the limit is `factor` times their number in the run without
 * faults, or `least` if that is higher.
 */
const actionLimits = { clean: 5_000, least: 2_000, factor: 20 }

/** The result of the runs without faults. Like {@link TestResult}, contains only values that threads can exchange. */
export interface CleanResult {
  runs: number
  /** The plans with one fault. */
  singles: RankedPlan[]
  finding?: Finding | undefined
  nondeterminism: string[]
}

export interface TestResult {
  runs: number
  /** The faults that occurred. */
  reached: Plan
  hasFailed: boolean
  /** The failure with the fewest faults, if it was reproduced. */
  finding?: Finding | undefined
  /** A description of a failure that was not reproduced. */
  unstable?: string | undefined
  /** The plans that add a second fault to this plan. */
  pairs: RankedPlan[]
}

/** Runs plans in this thread or in other threads. */
export interface Testers {
  /** The number of plans that run concurrently. */
  readonly size: number
  runClean(): Promise<CleanResult>
  /** Tests a plan. Call {@link Testers.runClean} first. */
  test(plan: RankedPlan): Promise<TestResult>
  stop(): void
}

/** Runs plans one by one in this thread. */
export class Tester<Context extends object> implements Testers {
  readonly size = 1
  readonly #settings: ExploreSettings<Context>
  readonly #onRun: (plan: Plan) => void
  #clean: CleanRun = { actions: new Map(), sends: new Map(), hasLateCalls: true }
  #actionLimit: number
  #runs = 0

  constructor(settings: ExploreSettings<Context>, onRun: (plan: Plan) => void = () => {}) {
    this.#settings = settings
    this.#onRun = onRun
    this.#actionLimit = settings.actionLimit ?? actionLimits.clean
  }

  async runClean(): Promise<CleanResult> {
    // Reports do not count the warm-up run.
    const warmUp = await this.#run([])
    this.#runs = 0
    const run = await this.#run([])
    const violation = findCleanViolation(run, this.#settings)
    if (violation) {
      const finding = toFinding(run, violation)
      return { runs: this.#runs, singles: [], finding, nondeterminism: [] }
    }
    // If only the warm-up run fails, the program was probably still loading its modules.
    const hasLoaded = !findCleanViolation(warmUp, this.#settings)
    const requests = run.steps.filter(({ kind }) => kind === 'request')
    const hasLateCalls = requests.some(({ isLate }) => isLate)
    this.#clean = { actions: countActions(run), sends: countSends(run), hasLateCalls }
    const { least, factor } = actionLimits
    this.#actionLimit = this.#settings.actionLimit ?? Math.max(least, run.actions * factor)
    return {
      runs: this.#runs,
      singles: enumerateSingles(run.steps, this.#enumeration),
      nondeterminism: hasLoaded ? compare(warmUp, run) : [],
    }
  }

  async test(ranked: RankedPlan): Promise<TestResult> {
    const { plan } = ranked
    this.#runs = 0
    const run = await this.#run(plan)
    const violation = this.#violationOf(run)
    const finding = violation && (await this.#shrink(run))
    const isUnstable = violation && !finding && run.end !== 'timeout'
    return {
      runs: this.#runs,
      reached: plan.filter((fault) => run.steps.some((step) => step.fault === fault)),
      hasFailed: violation !== undefined,
      finding,
      unstable: isUnstable ? this.#describeUnstable(run, violation) : undefined,
      pairs: violation ? [] : enumeratePairs(ranked, run.steps, this.#enumeration),
    }
  }

  stop(): void {}

  get #enumeration() {
    const { restart, allowsEnvironment: allows } = this.#settings
    return { hasRestart: restart !== undefined, allows }
  }

  #run(plan: Plan): Promise<RunResult> {
    this.#runs += 1
    this.#onRun(plan)
    return runOnce(this.#settings, plan, this.#actionLimit)
  }

  #violationOf(run: RunResult): Violation | undefined {
    return findViolation(run, this.#settings, this.#clean)
  }

  /**
   * Looks for a failing run with fewer faults. If there is none, runs the failed plan again, up to twice. Returns
   * undefined if it does not fail again.
   */
  async #shrink({ plan: failed }: RunResult): Promise<Finding | undefined> {
    const smaller = failed.length > 1 ? failed.map((fault) => [fault]) : []
    for (const plan of [...smaller, failed, failed]) {
      const run = await this.#run(plan)
      const violation = this.#violationOf(run)
      if (violation) return toFinding(run, violation)
    }
    return undefined
  }

  #describeUnstable({ plan }: RunResult, { message }: Violation): string {
    const line = formatReplay({ seed: this.#settings.seed, plan })
    return `A run failed, but passed when it was replayed ('${line}'). The failure: ${message}`
  }
}

/** Describes the first difference between two runs. Without one, returns an empty list. */
function compare(one: RunResult, other: RunResult): string[] {
  const [before, after] = [outlineOf(one), outlineOf(other)]
  const longer = before.length > after.length ? before : after
  const place = longer.findIndex((_, index) => before[index] !== after[index])
  if (place < 0) return []
  const steps = [before, after].map((list) => list[place] ?? 'nothing')
  return [`Two runs without faults differ in step ${place + 1}: first ${steps.join(', then ')}`]
}

/** Returns a run's steps without ids, which differ between runs. */
function outlineOf({ steps }: RunResult): string[] {
  return steps.map(({ kind, name, nth, at, attempt = 1, result = '' }) =>
    [kind, name, `#${nth}`, `attempt ${attempt}`, `at ${at} ms`, result].join(' ').trim(),
  )
}
