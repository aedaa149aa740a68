import { faultNames } from '../plan/fault-names.ts'
import type { Plan, PointKind } from '../plan/plan.ts'

/** A report on what `explore` tested, as plain JSON. */
export interface ExploreReport {
  /** The mock's seed. */
  seed: string
  /** The number of runs, including one without faults. */
  runs: number
  /** How the search ended: all planned runs were done, the budget was used up, or a run failed. */
  ended: 'complete' | 'budget' | 'failure'
  /** The runs with one fault. A late restart belongs to its crash. */
  singles: {
    /** The number of planned runs. */
    planned: number
    /** The number of completed runs. */
    done: number
  }
  /** The runs with two faults. */
  pairs: {
    /** The number of completed runs. */
    done: number
  }
  /** Differences between identical runs, caused by something outside the mock, such as real time or random values. */
  nondeterminism: string[]
  /** The program's requests, events and other points, with the faults tested at each. */
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
    `explore: ${runs} ${runs === 1 ? 'run' : 'runs'} with seed ${seed}; ${singles.done} of ${singles.planned} single faults, ${pairs.done} pairs; ${reasons[ended]}.`,
    ...nondeterminism.map((line) => `  nondeterminism: ${line}`),
    ...describeCoverage(coverage).map((line) => `  ${line}`),
  ]
}

/** Points with the same name, and how often each fault was tested there. */
export interface PointCoverage {
  /** The kind of the points. */
  kind: PointKind
  /** The operation, the event type, `due` for the clock, or `run` or `restart` for the environment. */
  name: string
  /** The number of points with this name in the run without faults. */
  points: number
  /** How often each fault was tested at one of these points, alone or in a pair. */
  tested: Record<string, number>
  /** The faults planned for these points that no run tested. */
  untested: string[]
}

export class Coverage {
  readonly #rows = new Map<string, PointCoverage>()

  /** Adds the points and faults of planned runs as untested. */
  expect(plans: readonly Plan[]): void {
    const counted = new Set<string>()
    for (const { kind, name, nth, fault } of plans.flat()) {
      const row = this.#row(kind, name)
      const point = `${kind} ${name} ${nth}`
      if (!counted.has(point)) row.points += 1
      counted.add(point)
      if (!row.untested.includes(fault)) row.untested.push(fault)
    }
  }

  add(plan: Plan): void {
    for (const { kind, name, fault } of plan) {
      const row = this.#row(kind, name)
      row.tested[fault] = (row.tested[fault] ?? 0) + 1
      row.untested = row.untested.filter((untested) => untested !== fault)
    }
  }

  rows(): PointCoverage[] {
    return structuredClone([...this.#rows.values()])
  }

  #row(kind: PointKind, name: string): PointCoverage {
    const key = `${kind} ${name}`
    const known = this.#rows.get(key)
    const row = known ?? { kind, name, points: 0, tested: {}, untested: [] }
    if (!known) this.#rows.set(key, row)
    return row
  }
}

function describeCoverage(rows: readonly PointCoverage[]): string[] {
  return rows.map(({ kind, name, points, tested, untested }) => {
    const order = faultNames(kind)
    const names = Object.keys(tested).sort((a, b) => order.indexOf(a) - order.indexOf(b))
    const runs = names.map((fault) => `${fault} ${tested[fault]}`).join(', ')
    const rest = untested.length > 0 ? `; not tested: ${untested.join(', ')}` : ''
    return `${kind} ${name} (${points === 1 ? '1 point' : `${points} points`}): ${runs || 'nothing'}${rest}`
  })
}
