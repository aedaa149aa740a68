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

/** The most requests and waits of the run without faults, and how many more than these another run may have. */
const actionLimits = { clean: 5_000, least: 2_000, factor: 20 }

/** What the runs without faults show. It is plain data, like {@link TestResult}. */
export interface CleanResult {
  /** How many runs they were. */
  runs: number
  /** The plans with one fault. */
  singles: RankedPlan[]
  /** What is wrong without any fault. */
  finding?: Finding | undefined
  /** Differences between equal runs. */
  nondeterminism: string[]
}

/** What the run of a plan shows. */
export interface TestResult {
  /** How many runs it took. */
  runs: number
  /** The faults that happened. */
  reached: Plan
  /** Whether it failed. */
  hasFailed: boolean
  /** The failure with the fewest faults, if it fails again. */
  finding?: Finding | undefined
  /** A failure that did not happen again. */
  unstable?: string | undefined
  /** The plans with this fault and a second one. */
  pairs: RankedPlan[]
}

/** Runs plans: here or in other threads. */
export interface Testers {
  /** How many plans run at the same time. */
  readonly size: number
  /** Runs the program without faults. */
  runClean(): Promise<CleanResult>
  /** Runs a plan after {@link Testers.runClean}. */
  test(plan: RankedPlan): Promise<TestResult>
  /** Ends what still runs. */
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

  /** @param onRun Is called before each run. */
  constructor(settings: ExploreSettings<Context>, onRun: (plan: Plan) => void = () => {}) {
    this.#settings = settings
    this.#onRun = onRun
    this.#actionLimit = settings.actionLimit ?? actionLimits.clean
  }

  async runClean(): Promise<CleanResult> {
    // The runs of a report do not count the first one.
    const warmUp = await this.#run([])
    this.#runs = 0
    const run = await this.#run([])
    const violation = findCleanViolation(run, this.#settings)
    if (violation) {
      const finding = toFinding(run, violation)
      return { runs: this.#runs, singles: [], finding, nondeterminism: [] }
    }
    // A failure in the warm-up alone only shows that the program had to load its modules.
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

  /** Looks for a run with fewer faults that fails too, and runs it again. Returns undefined if none fails again. */
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
    return `A run failed once, but not when repeated: '${line}': ${message}`
  }
}

/** Two runs without faults are equal, unless the program depends on something outside the mock. */
function compare(one: RunResult, other: RunResult): string[] {
  const [before, after] = [outlineOf(one), outlineOf(other)]
  const longer = before.length > after.length ? before : after
  const place = longer.findIndex((_, index) => before[index] !== after[index])
  if (place < 0) return []
  const steps = [before, after].map((list) => list[place] ?? 'nothing')
  return [`Two runs without faults differ in step ${place + 1}: ${steps.join('; and then: ')}`]
}

/** Returns the steps of a run without ids, to compare them with those of another run. */
function outlineOf({ steps }: RunResult): string[] {
  return steps.map(({ kind, name, nth, at, attempt = 1, result = '' }) =>
    [kind, name, `#${nth}`, `attempt ${attempt}`, `at ${at} ms`, result].join(' ').trim(),
  )
}
