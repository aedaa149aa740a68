import { effectOf, type Step, touchedBy } from '../run/steps.ts'
import { deliveryFaults } from './delivery-faults.ts'
import { environmentChoices } from './environment.ts'
import { clockFaults, isEnvironment, judgementOf, restartChoices } from './fault-names.ts'
import type { FaultPoint, Plan, PlannedFault } from './plan.ts'
import { requestFaults } from './request-faults.ts'

/** Plans with lower ranks run first. */
export interface RankedPlan {
  plan: Plan
  rank: number
}

interface RankedFault {
  fault: PlannedFault
  rank: number
}

/** Only faults up to this rank are combined with another fault. */
const pairedRank = 4

export interface EnumerationOptions {
  /** Whether the program has a `restart` function. Without one, crashes are not tested. */
  hasRestart: boolean
  allows: (environment: string) => boolean
}

/** Returns the plans with one fault. A plan with a crash may also contain a late restart. */
export function enumerateSingles(
  steps: readonly Step[],
  options: EnumerationOptions,
): RankedPlan[] {
  const points = faultPointsOf(steps)
  const ranked = points.flatMap((point) => faultsAt(point, options))
  const singles = ranked.map(({ fault, rank }) => ({ plan: [fault], rank }))
  const restarts = restartChoices.filter(({ name }) => options.allows(name))
  const late = restarts.flatMap((choice) => singles.flatMap((plan) => withRestart(plan, choice)))
  return [...singles, ...late, ...environmentsOf(points, options)].sort(
    (one, other) => one.rank - other.rank,
  )
}

/** Added to the rank of faults at equivalent points, which are tested in the same stage as the pairs. */
const equivalentRarity = 3

/**
 * Splits plans by their points. The first two points and the last point of each name come first, because the points in
 * between mostly test the same code.
 */
export function splitEquivalent(singles: readonly RankedPlan[]): {
  first: RankedPlan[]
  rest: RankedPlan[]
} {
  const last = new Map<string, number>()
  for (const { kind, name, nth } of singles.flatMap(({ plan }) => plan)) {
    last.set(`${kind} ${name}`, Math.max(nth, last.get(`${kind} ${name}`) ?? 0))
  }
  const isFirst = ({ plan: [fault] }: RankedPlan) =>
    !fault || fault.nth <= 2 || fault.nth === last.get(`${fault.kind} ${fault.name}`)
  const rest = singles.filter((single) => !isFirst(single))
  return {
    first: singles.filter(isFirst),
    rest: rest.map(({ plan, rank }) => ({ plan, rank: rank + equivalentRarity })),
  }
}

function environmentsOf(
  points: readonly FaultPoint[],
  { allows }: EnumerationOptions,
): RankedPlan[] {
  return environmentChoices
    .filter(({ name, isFor }) => allows(name) && isFor(points))
    .map(({ name, rank }) => ({
      plan: [{ kind: 'environment', name: 'run', nth: 1, fault: name }],
      rank,
    }))
}

/** Adds a late restart to a plan with a crash. Returns no plan unless the crash is at the first point with its name. */
function withRestart(
  { plan, rank }: RankedPlan,
  choice: (typeof restartChoices)[number],
): RankedPlan[] {
  const [crash] = plan
  if (!crash?.fault.startsWith('crash') || crash.nth > 1) return []
  const restart = { kind: 'environment', name: 'restart', nth: 1, fault: choice.name } as const
  return [{ plan: [crash, restart], rank: rank + choice.rank }]
}

/** Returns the plans that combine a plan's fault with a fault at a later point. `steps` are from that plan's run. */
export function enumeratePairs(
  { plan, rank }: RankedPlan,
  steps: readonly Step[],
  options: EnumerationOptions,
): RankedPlan[] {
  const [first] = plan
  if (!first || plan.length > 1 || rank > pairedRank || isSingle(first)) return []
  const start = steps.findIndex((step) => step.fault !== undefined)
  if (start < 0) return []
  const touched = new Set(steps.slice(start, start + 1).flatMap((step) => touchedBy(step)))
  const isRelated = (point: FaultPoint) => {
    const ids = steps.filter((step) => isSamePoint(step, point)).flatMap((step) => touchedBy(step))
    return touched.size === 0 || ids.length === 0 || ids.some((id) => touched.has(id))
  }
  return faultPointsOf(steps.slice(start + 1))
    .filter((point) => !isSamePoint(point, first))
    .flatMap((point) => {
      const rarity = isRelated(point) ? 0 : unrelatedRarity
      return faultsAt(point, options).map((second) => ({ ...second, rarity }))
    })
    .filter((second) => second.rank <= pairedRank && !isSingle(second.fault))
    .map(({ fault, rarity, ...second }) => ({
      plan: [first, fault],
      rank: rank + second.rank + rarity,
    }))
}

/** Added to the rank of a pair whose faults affect different users and records. */
const unrelatedRarity = 2

/** Returns whether a fault is never combined with another fault. */
function isSingle(fault: PlannedFault): boolean {
  return judgementOf([fault]) !== undefined || isEnvironment(fault)
}

function faultPointsOf(steps: readonly Step[]): FaultPoint[] {
  const points = new Map<string, FaultPoint>()
  for (const { kind, name, nth, attempt = 1 } of steps) {
    const isPoint = kind === 'request' || kind === 'delivery' || kind === 'clock'
    if (isPoint && attempt === 1) points.set(`${kind} ${name} ${nth}`, { kind, name, nth })
  }
  return [...points.values()]
}

function faultsAt(point: FaultPoint, { hasRestart, allows }: EnumerationOptions): RankedFault[] {
  return ranksAt(point)
    .filter(({ name }) => hasRestart || !name.startsWith('crash'))
    .map(({ name, rank }) => ({
      fault: { ...point, fault: name },
      rank: rank + rarityOf(point.nth),
    }))
    .filter(({ fault }) => !isEnvironment(fault) || allows(fault.fault))
}

/** Returns the rank to add for a point: higher for later points with the same name, which mostly test the same code. */
function rarityOf(nth: number): number {
  return Math.floor(Math.log2(nth) / 2)
}

function ranksAt({ kind, name }: FaultPoint): { name: string; rank: number }[] {
  if (kind === 'clock') return clockFaults
  if (kind === 'delivery') return deliveryFaults.filter(({ types }) => types?.test(name) ?? true)
  const effect = effectOf({ name })
  return requestFaults.flatMap((fault) => {
    const rank = effect && fault.ranks[effect]
    const isKnown = fault.operations?.includes(name) ?? true
    return rank === undefined || !isKnown ? [] : [{ name: fault.name, rank }]
  })
}

function isSamePoint(one: Step | FaultPoint, other: FaultPoint): boolean {
  return one.kind === other.kind && one.name === other.name && one.nth === other.nth
}
