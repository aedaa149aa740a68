/** The kinds of points at which a run can differ from the run without faults. */
export const faultPointKinds = ['request', 'delivery', 'clock', 'environment'] as const

/** The kind of point: a request, an event's delivery, simultaneous scheduled events, or the run's environment. */
export type PointKind = (typeof faultPointKinds)[number]

/** A point in a run, identified by its kind, name and number, such as the second request for an operation. */
export interface FaultPoint {
  kind: PointKind
  /** The operation or event type, `due` for the clock, or `run` or `restart` for the environment. */
  name: string
  /** The point's number among points with the same name, starting at 1. */
  nth: number
}

export interface PlannedFault extends FaultPoint {
  fault: string
}

/**
 * Which rules and checks apply to a run. `tolerance`: the scenario must not fail, and the built-in rules must hold. The
 * result of the check is ignored, because a correct program can fail it in such a run. `rules`: only the built-in rules
 * apply.
 */
export type Judgement = 'tolerance' | 'rules'

export interface FaultFacts {
  /** A clause that describes the fault. */
  text: string
  /** Which rules and checks apply to the run. Default: all. */
  judgement?: Judgement
  /** Whether the fault is valid service behaviour, not a failure. The `environment` option can disable such faults. */
  isEnvironment?: boolean
}

export interface NamedFault extends FaultFacts {
  /** The name in replay lines and reports. */
  name: string
}

/** Names each fault after its key. */
export function nameFaults<Fields extends FaultFacts>(
  faults: Readonly<Record<string, Fields>>,
): readonly (Fields & NamedFault)[] {
  return Object.entries(faults).map(([name, fault]) => ({ name, ...fault }))
}

/** A run's faults. The list is empty for the run without faults. */
export type Plan = readonly PlannedFault[]

export function faultAt(plan: Plan, { kind, name, nth }: FaultPoint): PlannedFault | undefined {
  return plan.find(
    (planned) => planned.kind === kind && planned.name === name && planned.nth === nth,
  )
}
