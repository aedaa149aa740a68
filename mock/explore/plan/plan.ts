/** The kinds of points at which a run can differ from the run without faults. */
export const faultPointKinds = ['request', 'delivery', 'clock'] as const

/** The kind of a point: a request, the delivery of an event, or due events at the same time. */
export type PointKind = (typeof faultPointKinds)[number]

/** A moment of a run, by its name and number: the second request of an operation, the first event of a type. */
export interface FaultPoint {
  /** What happens there. */
  kind: PointKind
  /** The operation, the event type, or `due` for the clock. */
  name: string
  /** The number among the points of this name, from 1. */
  nth: number
}

/** A point, and what goes wrong there. */
export interface PlannedFault extends FaultPoint {
  /** The name of the fault. */
  fault: string
}

/** The faults of a run; none for the run without faults. */
export type Plan = readonly PlannedFault[]

/** Returns the fault of a plan at a point. */
export function faultAt(plan: Plan, { kind, name, nth }: FaultPoint): PlannedFault | undefined {
  return plan.find(
    (planned) => planned.kind === kind && planned.name === name && planned.nth === nth,
  )
}
