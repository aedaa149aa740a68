/** The kinds of points at which a run can differ from the run without faults. */
export const faultPointKinds = ['request', 'delivery', 'clock', 'environment'] as const

/** The kind of a point: a request, the delivery of an event, due events at the same time, or the environment of the run. */
export type PointKind = (typeof faultPointKinds)[number]

/** A point in a run, by its name and number: the second request of an operation, the first event of a type. */
export interface FaultPoint {
  /** What happens at the point. */
  kind: PointKind
  /** The operation, the event type, `due` for the clock, `run` or `restart` for the environment. */
  name: string
  /** The number of the point among those with the same name, from 1. */
  nth: number
}

/** A point, and what goes wrong there. */
export interface PlannedFault extends FaultPoint {
  /** The name of the fault. */
  fault: string
}

/**
 * What is judged in a run. `tolerance`: the scenario must not fail, and the built-in rules must hold; the check does not run,
 * because the program saw a state that differs from the service's. `rules`: only the built-in rules.
 */
export type Judgement = 'tolerance' | 'rules'

/** The faults of a run; none for the run without faults. */
export type Plan = readonly PlannedFault[]

/** Returns the fault of a plan at a point. */
export function faultAt(plan: Plan, { kind, name, nth }: FaultPoint): PlannedFault | undefined {
  return plan.find(
    (planned) => planned.kind === kind && planned.name === name && planned.nth === nth,
  )
}
