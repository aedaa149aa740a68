import { describeCoverage, type PointCoverage } from './coverage.ts'

/** A report on what `explore` tested, as plain JSON. */
export interface ExploreReport {
  /** The mock's seed. */
  seed: string
  /** The number of runs, including runs without faults. */
  runs: number
  /** Why the search ended: all planned runs were done, the budget was used up, or a run failed. */
  ended: 'complete' | 'budget' | 'failure'
  /** The runs with one fault. */
  singles: {
    /** The number of planned runs. */
    planned: number
    /** The number of runs so far. */
    done: number
  }
  /** The runs with two faults. */
  pairs: {
    /** The number of runs so far. */
    done: number
  }
  /**
   * Differences between identical runs. If there are any, the program depends on something outside the mock, such as
   * real time or random values.
   */
  nondeterminism: string[]
  /** The program's points, with the faults that were tested at each. */
  coverage: PointCoverage[]
}

export function describeReport({
  runs,
  ended,
  singles,
  pairs,
  coverage,
  nondeterminism,
  seed,
}: ExploreReport): string[] {
  const reasons = {
    complete: 'every planned run is done',
    budget: 'the budget is used up',
    failure: 'a run failed',
  }
  return [
    `explore: ${runs} runs with seed ${seed}; ${singles.done} of ${singles.planned} single faults, ${pairs.done} pairs; ${reasons[ended]}.`,
    ...nondeterminism.map((line) => `  nondeterminism: ${line}`),
    ...describeCoverage(coverage).map((line) => `  ${line}`),
  ]
}
