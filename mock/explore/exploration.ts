import { Random } from '../base/random.ts'
import { ExploreError } from './explore-error.ts'
import { countActions } from './invariants/doubled.ts'
import { type CleanRun, findCleanViolation, findViolation } from './invariants/find-violation.ts'
import type { Violation } from './invariants/names.ts'
import { countSends } from './invariants/requests.ts'
import type { ExploreSettings } from './options.ts'
import {
  enumeratePairs,
  enumerateSingles,
  type RankedPlan,
  splitEquivalent,
} from './plan/enumerate.ts'
import type { Plan } from './plan/plan.ts'
import { formatReplay } from './plan/replay-line.ts'
import { Coverage } from './report/coverage.ts'
import { type Finding, Findings } from './report/findings.ts'
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
  readonly #findings = new Findings()
  readonly #nondeterminism: string[] = []
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
   * Searches until every plan is done, the budget is used up, or a run fails.
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
    const { first, rest } = splitEquivalent(singles)
    const later: RankedPlan[] = [...rest]
    for (const single of first) {
      if (this.#isOver()) return this.#finish('budget')
      const { run, hasFailed } = await this.#test(single.plan)
      this.#singles.done += 1
      const isPaired = !hasFailed && later.length < mostPairs
      if (isPaired) later.push(...enumeratePairs(single, run.steps, options))
    }
    const equivalent = new Set(rest.map(({ plan }) => plan))
    for (const { plan } of this.#inOrder(later)) {
      if (this.#isOver()) return this.#finish('budget')
      await this.#test(plan)
      if (equivalent.has(plan)) this.#singles.done += 1
      else this.#pairs += 1
    }
    return this.#finish('complete')
  }

  /**
   * Runs one plan.
   *
   * @throws {ExploreError} When the run fails.
   */
  async replay(plan: Plan): Promise<ExploreReport> {
    await this.#runClean()
    if (plan.length > 0) this.#reportMissed(plan, (await this.#test(plan)).run)
    return this.#finish('complete')
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
    const warmUp = await runOnce(this.#settings, [], this.#actionLimit)
    const run = await this.#run([])
    const violation = findCleanViolation(run, this.#settings)
    if (violation) {
      this.#findings.add({ run, violation })
      throw this.#toError()
    }
    // A failure of the warm-up alone is that of a program that had to load its modules.
    if (!findCleanViolation(warmUp, this.#settings)) this.#compare(warmUp, run)
    const requests = run.steps.filter(({ kind }) => kind === 'request')
    const hasLateCalls = requests.some(({ isLate }) => isLate)
    this.#clean = { actions: countActions(run), sends: countSends(run), hasLateCalls }
    const { least, factor } = actionLimits
    this.#actionLimit = this.#settings.actionLimit ?? Math.max(least, run.actions * factor)
    return run
  }

  async #test(plan: Plan): Promise<{ run: RunResult; hasFailed: boolean }> {
    const run = await this.#run(plan)
    this.#coverage.add(plan.filter((fault) => run.steps.some((step) => step.fault === fault)))
    this.#printProgress()
    const violation = this.#violationOf(run)
    const finding = violation && (await this.#shrink(run))
    if (finding) this.#findings.add(finding)
    else if (violation && run.end !== 'timeout') this.#addUnstable(run, violation)
    if (finding && !this.#settings.all) throw this.#toError()
    return { run, hasFailed: violation !== undefined }
  }

  /** Two runs without faults are equal, unless the program depends on something outside the mock. */
  #compare(one: RunResult, other: RunResult): void {
    const [before, after] = [outlineOf(one), outlineOf(other)]
    const longer = before.length > after.length ? before : after
    const place = longer.findIndex((_, index) => before[index] !== after[index])
    if (place < 0) return
    const steps = [before, after].map((list) => list[place] ?? 'nothing')
    this.#nondeterminism.push(
      `Two runs without faults differ in step ${place + 1}: ${steps.join('; and then: ')}`,
    )
  }

  #addUnstable(run: RunResult, { message }: Violation): void {
    const line = formatReplay({ seed: this.#settings.seed, plan: run.plan })
    this.#nondeterminism.push(`A run failed once, and not in a second run: '${line}': ${message}`)
  }

  #run(plan: Plan): Promise<RunResult> {
    this.#runs += 1
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
      if (violation) return { run, violation }
    }
    return undefined
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

  /** @throws {ExploreError} If a run has failed. */
  #finish(ended: ExploreReport['ended']): ExploreReport {
    if (this.#findings.size > 0) throw this.#toError()
    return this.#end(ended)
  }

  #toError(): ExploreError {
    return new ExploreError(this.#findings.list(), this.#end('failure'))
  }

  #end(ended: ExploreReport['ended']): ExploreReport {
    const report: ExploreReport = {
      seed: this.#settings.seed,
      runs: this.#runs,
      ended,
      singles: { ...this.#singles },
      pairs: { done: this.#pairs },
      coverage: this.#coverage.rows(),
      nondeterminism: [...this.#nondeterminism],
    }
    for (const line of describeReport(report)) this.#settings.print(line)
    return report
  }
}

/** Returns the steps of a run without ids, to compare them with those of another run. */
function outlineOf({ steps }: RunResult): string[] {
  return steps.map(({ kind, name, nth, at, attempt = 1, result = '' }) =>
    [kind, name, `#${nth}`, `attempt ${attempt}`, `at ${at} ms`, result].join(' ').trim(),
  )
}
