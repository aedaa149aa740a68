import { spanOf } from '../../state/clock/time.ts'
import { deliveryFaults } from './delivery-faults.ts'
import { environmentChoices } from './environment.ts'
import type { Judgement, Plan, PlannedFault, PointKind } from './plan.ts'
import { requestFaults } from './request-faults.ts'

/** The most events at the same time of which each one can be chosen to run first. */
const mostTied = 5

/** The orders of events that are due at the same time: which one runs next instead of the first scheduled one. */
export const clockFaults = Array.from({ length: mostTied - 1 }, (_, index) => ({
  name: `next_${index + 2}`,
  rank: 4,
  index: index + 1,
  text: `number ${index + 2} runs first, before those that were scheduled earlier`,
}))

/**
 * How long a program may be down between a crash and its restart: shorter than the retries of deliveries, and than keys are
 * kept, or longer. After the longer one, events are lost through no fault of the program.
 */
export const restartChoices = [
  {
    name: 'hours_later',
    rank: 1,
    text: 'your program starts again 20 hours after the crash',
    time: spanOf('20h'),
  },
  {
    name: 'days_later',
    judgement: 'tolerance',
    rank: 2,
    text: 'your program starts again three days after the crash, when all deliveries have ended',
    time: spanOf('3d'),
  },
] as const

/** The fields that all faults share. */
interface NamedFault {
  /** The name in replay lines and reports. */
  name: string
  /** What happens, as a sentence without its subject. */
  text: string
  /** What is judged. Default: everything. */
  judgement?: Judgement
  /** Whether it is not a failure, but something that the service may do at any time. */
  isEnvironment?: boolean
}

const faults: Record<PointKind, readonly NamedFault[]> = {
  request: requestFaults,
  delivery: deliveryFaults,
  clock: clockFaults,
  environment: [...environmentChoices, ...restartChoices],
}

/** Returns the names of the faults at points of a kind. */
export function faultNames(kind: PointKind): string[] {
  return faults[kind].map(({ name }) => name)
}

/** Describes a fault in words. */
export function describeFault(planned: PlannedFault): string {
  const { kind, name, nth, fault } = planned
  const text = definitionOf(planned)?.text ?? fault
  if (kind === 'environment') return `Environment, ${fault}: ${text}.`
  if (kind === 'clock') return `Events that are due at the same time, choice ${nth}: ${text}.`
  return `${kind === 'request' ? 'Request' : 'Event'} ${name} #${nth}: ${text}.`
}

/** Returns what is judged in a run with a plan; undefined for everything. */
export function judgementOf(plan: Plan): Judgement | undefined {
  const judgements = plan.map((fault) => definitionOf(fault)?.judgement)
  return judgements.find((judgement) => judgement === 'rules') ?? judgements.find(Boolean)
}

/** Returns whether a fault is not a failure, but something that the service may do at any time. */
export function isEnvironment(fault: PlannedFault): boolean {
  return fault.kind === 'environment' || definitionOf(fault)?.isEnvironment === true
}

function definitionOf({ kind, fault }: PlannedFault): NamedFault | undefined {
  return faults[kind].find(({ name }) => name === fault)
}

/** The names of everything that the option `environment` switches off. */
export const environmentNames: readonly string[] = [
  ...new Set(
    Object.entries(faults).flatMap(([kind, known]: [string, readonly NamedFault[]]) =>
      known
        .filter(({ isEnvironment }) => kind === 'environment' || isEnvironment)
        .map(({ name }) => name),
    ),
  ),
]
