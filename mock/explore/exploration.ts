import { present } from '../../src/shared/narrow.ts'
import { Random } from '../reference-data/random.ts'
import { ExploreError } from './explore-error.ts'
import type { SearchSettings } from './options.ts'
import { type RankedPlan, splitEquivalent } from './plan/enumerate.ts'
import { faultAt, type Plan } from './plan/plan.ts'
import { formatReplay } from './plan/replay-line.ts'
import { Findings } from './report/findings.ts'
import { Coverage, describeReport, type ExploreReport } from './report/report.ts'
import type { CleanResult, Testers, TestResult } from './tester.ts'

/** Once this many plans are queued, the search adds no further pairs. */
const mostPairs = 20_000

/**
 * The maximum number of running and queued tests per thread, if there are several threads. The queue keeps threads busy
 * during a longer test.
 */
const plansPerTester = 4

/** The minimum interval between progress lines, in seconds of real time. */
const progressEvery = 5

type Settings = SearchSettings & { print: (line: string) => void }

export class Exploration {
  readonly #settings: Settings
  readonly #testers: Testers
  readonly #coverage = new Coverage()
  readonly #began = performance.now()
  readonly #findings = new Findings()
  readonly #nondeterminism: string[] = []
  #printed = 0
  #runs = 0
  #singles = { planned: 0, done: 0 }
  #pairs = 0
  #hasUsedBudget = false

  constructor(settings: Settings, testers: Testers) {
    this.#settings = settings
    this.#testers = testers
  }

  /**
   * Searches until every plan is done or the budget is used up. Stops at the first failure, unless `all` is set.
   *
   * @throws {ExploreError} When a run fails.
   */
  async search(): Promise<ExploreReport> {
    const { singles } = await this.#runClean()
    this.#coverage.expect(singles.map(({ plan }) => plan))
    this.#singles.planned = singles.length
    const { first, rest } = splitEquivalent(singles)
    const later: RankedPlan[] = [...rest]
    for await (const { result } of this.#test(first)) {
      this.#singles.done += 1
      if (later.length < mostPairs) later.push(...result.pairs)
    }
    const equivalent = new Set(rest.map(({ plan }) => plan))
    if (this.#hasUsedBudget) return this.#finish()
    for await (const { plan } of this.#test(this.#inOrder(later))) {
      if (equivalent.has(plan)) this.#singles.done += 1
      else this.#pairs += 1
    }
    return this.#finish()
  }

  async replay(plan: Plan): Promise<ExploreReport> {
    await this.#runClean()
    if (plan.length > 0) {
      const result = await this.#testers.test({ plan, rank: Number.POSITIVE_INFINITY })
      this.#reportMissed(plan, result)
      this.#add(plan, result)
    }
    return this.#finish()
  }

  /** Prints the planned faults that did not occur, for example because the program changed after the failure. */
  #reportMissed(plan: Plan, { reached }: TestResult): void {
    const missed = plan.filter((fault) => !faultAt(reached, fault))
    for (const { kind, name, nth } of missed) {
      this.#settings.print(
        `explore: the run has no ${kind} ${name} #${nth}, so a fault in the replay line did not occur.`,
      )
    }
  }

  async #runClean(): Promise<CleanResult> {
    const clean = await this.#testers.runClean()
    this.#runs += clean.runs
    this.#nondeterminism.push(...clean.nondeterminism)
    if (!clean.finding) return clean
    this.#findings.add(clean.finding)
    throw this.#toError()
  }

  /** Yields the results in plan order, regardless of which test finishes first. */
  async *#test(plans: readonly RankedPlan[]): AsyncGenerator<{ plan: Plan; result: TestResult }> {
    const { size } = this.#testers
    const most = size === 1 ? 1 : size * plansPerTester
    const tests: { plan: Plan; running: Promise<TestResult> }[] = []
    for (let next = 0, done = 0; done < plans.length; done += 1) {
      while (tests.length < most && next < plans.length && !this.#isOver()) {
        const ranked = present(plans[next])
        const running = this.#testers.test(ranked)
        // Prevent an unhandled rejection, because the search may end without awaiting the result.
        running.catch(() => {})
        tests.push({ plan: ranked.plan, running })
        next += 1
      }
      const test = tests.shift()
      this.#hasUsedBudget = !test || this.#runs >= this.#mostRuns
      if (!test || this.#hasUsedBudget) return
      const result = await test.running
      this.#add(test.plan, result)
      yield { plan: test.plan, result }
    }
  }

  /** @throws {ExploreError} when the run failed, unless `all` is set. */
  #add(plan: Plan, { runs, reached, finding, unstable }: TestResult): void {
    this.#runs += runs
    this.#coverage.add(plan.filter((fault) => faultAt(reached, fault)))
    this.#printProgress()
    if (unstable) this.#nondeterminism.push(unstable)
    if (!finding) return
    this.#findings.add(finding)
    if (!this.#settings.all) throw this.#toError()
  }

  /** Sorts plans by rank. The seed determines the order of plans with the same rank. */
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
    const { seconds = Number.POSITIVE_INFINITY } = this.#settings.budget
    return this.#runs >= this.#mostRuns || this.#elapsed() >= seconds
  }

  get #mostRuns(): number {
    return this.#settings.budget.runs ?? Number.POSITIVE_INFINITY
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

  #finish(): ExploreReport {
    if (this.#findings.size > 0) throw this.#toError()
    return this.#end(this.#hasUsedBudget ? 'budget' : 'complete')
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
