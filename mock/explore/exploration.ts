import { Random } from '../base/random.ts'
import { ExploreError, type Finding } from './explore-error.ts'
import { countActions } from './invariants/doubled.ts'
import { type CleanRun, findCleanViolation, findViolation } from './invariants/find-violation.ts'
import type { Violation } from './invariants/names.ts'
import { countSends } from './invariants/requests.ts'
import type { ExploreSettings } from './options.ts'
import { enumeratePairs, enumerateSingles, type RankedPlan } from './plan/enumerate.ts'
import type { Plan } from './plan/plan.ts'
import { formatReplay } from './plan/replay-line.ts'
import { Coverage } from './report/coverage.ts'
import { describeReport, type ExploreReport } from './report/report.ts'
import { type RunResult, runOnce } from './run/run.ts'

/** The most requests and waits of the run without faults, and how many more than these another run may have. */
const actionLimits = { clean: 5_000, least: 2_000, factor: 20 }

/** The number of pairs beyond which no more are planned. */
const mostPairs = 20_000

/** The seconds of real time between two lines about the progress. */
const progressEvery = 5

/** A search for a run that fails. */
export class Exploration<Context extends object> {
  readonly #settings: ExploreSettings<Context>
  readonly #coverage = new Coverage()
  readonly #began = performance.now()
  #printed = 0
  #runs = 0
  #singles = { planned: 0, done: 0 }
  #pairs = 0
  #clean: CleanRun = { actions: new Map(), sends: new Map(), hasLateCalls: true }
  #actionLimit: number

  constructor(settings: ExploreSettings<Context>) {
    this.#settings = settings
    this.#actionLimit = settings.actionLimit ?? actionLimits.clean
  }

  /**
   * Searches until every plan is done or the budget is used up.
   *
   * @throws {ExploreError} When a run fails.
   */
  async search(): Promise<ExploreReport> {
    const clean = await this.#runClean()
    const { restart, allowsEnvironment: allows } = this.#settings
    const options = { hasRestart: restart !== undefined, allows }
    const singles = enumerateSingles(clean.steps, options)
    this.#coverage.expect(singles.map(({ plan }) => plan))
    this.#singles.planned = singles.length
    const pairs: RankedPlan[] = []
    for (const single of singles) {
      if (this.#isOver()) return this.#end('budget')
      const run = await this.#test(single.plan)
      this.#singles.done += 1
      if (pairs.length < mostPairs) pairs.push(...enumeratePairs(single, run.steps, options))
    }
    for (const { plan } of this.#inOrder(pairs)) {
      if (this.#isOver()) return this.#end('budget')
      await this.#test(plan)
      this.#pairs += 1
    }
    return this.#end('complete')
  }

  /**
   * Runs one plan.
   *
   * @throws {ExploreError} When the run fails.
   */
  async replay(plan: Plan): Promise<ExploreReport> {
    await this.#runClean()
    if (plan.length > 0) this.#reportMissed(plan, await this.#test(plan))
    return this.#end('complete')
  }

  /** The options may differ from those of the failure, or the program from what it was. */
  #reportMissed(plan: Plan, { steps }: RunResult): void {
    const missed = plan.filter((fault) => !steps.some((step) => step.fault === fault))
    for (const { kind, name, nth } of missed) {
      this.#settings.print(
        `explore: the run has no ${kind} ${name} #${nth}, so a fault of the line did not happen.`,
      )
    }
  }

  async #runClean(): Promise<RunResult> {
    const run = await this.#run([])
    const violation = findCleanViolation(run, this.#settings)
    if (violation) throw this.#toError({ run, violation, isRepeatable: true })
    const requests = run.steps.filter(({ kind }) => kind === 'request')
    const hasLateCalls = requests.some(({ isLate }) => isLate)
    this.#clean = { actions: countActions(run), sends: countSends(run), hasLateCalls }
    const { least, factor } = actionLimits
    this.#actionLimit = this.#settings.actionLimit ?? Math.max(least, run.actions * factor)
    return run
  }

  async #test(plan: Plan): Promise<RunResult> {
    const run = await this.#run(plan)
    this.#coverage.add(plan.filter((fault) => run.steps.some((step) => step.fault === fault)))
    this.#printProgress()
    const violation = this.#violationOf(run)
    const finding = violation && (await this.#shrink(run, violation))
    // The machine may have been busy: a run that is slow only once does not count.
    if (finding && (finding.isRepeatable || run.end !== 'timeout')) throw this.#toError(finding)
    return run
  }

  #run(plan: Plan): Promise<RunResult> {
    this.#runs += 1
    return runOnce(this.#settings, plan, this.#actionLimit)
  }

  #violationOf(run: RunResult): Violation | undefined {
    return findViolation(run, this.#settings, this.#clean)
  }

  /** Looks for a run with fewer faults that fails too, and runs it again. */
  async #shrink(run: RunResult, violation: Violation): Promise<Finding> {
    const smaller = run.plan.length > 1 ? run.plan.map((fault) => [fault]) : []
    for (const plan of [...smaller, run.plan]) {
      const repeated = await this.#run(plan)
      const again = this.#violationOf(repeated)
      if (again) return { run: repeated, violation: again, isRepeatable: true }
    }
    return { run, violation, isRepeatable: false }
  }

  /** Sorts by rank. The seed decides the order of equal ranks. */
  #inOrder(plans: readonly RankedPlan[]): RankedPlan[] {
    const { seed } = this.#settings
    const random = new Random(`${seed}/explore`)
    return plans
      .map((ranked) => ({
        ...ranked,
        place: random.fork(formatReplay({ ...ranked, seed })).next(),
      }))
      .sort((one, other) => one.rank - other.rank || one.place - other.place)
  }

  #isOver(): boolean {
    const { seconds = Number.POSITIVE_INFINITY, runs = Number.POSITIVE_INFINITY } =
      this.#settings.budget
    return this.#runs >= runs || this.#elapsed() >= seconds
  }

  #elapsed(): number {
    return (performance.now() - this.#began) / 1000
  }

  #printProgress(): void {
    if (this.#elapsed() < this.#printed + progressEvery) return
    this.#printed = this.#elapsed()
    const { planned, done } = this.#singles
    this.#settings.print(
      `explore: ${this.#runs} runs; ${done} of ${planned} single faults, ${this.#pairs} pairs so far`,
    )
  }

  #toError(finding: Finding): ExploreError {
    return new ExploreError(finding, this.#end('failure'))
  }

  #end(ended: ExploreReport['ended']): ExploreReport {
    const report: ExploreReport = {
      seed: this.#settings.seed,
      runs: this.#runs,
      ended,
      singles: { ...this.#singles },
      pairs: { done: this.#pairs },
      coverage: this.#coverage.rows(),
    }
    for (const line of describeReport(report)) this.#settings.print(line)
    return report
  }
}
