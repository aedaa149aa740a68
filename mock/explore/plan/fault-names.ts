import { spanOf } from '../../state/clock/time.ts'
import { deliveryFaults } from './delivery-faults.ts'
import { environmentChoices } from './environment.ts'
import type { Judgement, NamedFault, Plan, PlannedFault, PointKind } from './plan.ts'
import { requestFaults } from './request-faults.ts'

/** The maximum number of simultaneous events that a fault can reorder. */
const mostTied = 5

/**
 * Faults that reorder simultaneous events. Each runs one event before those that were added to the schedule earlier.
 */
export const clockFaults = Array.from({ length: mostTied - 1 }, (_, index) => ({
  name: `next_${index + 2}`,
  rank: 4,
  index: index + 1,
  text: `event ${index + 2} runs first, although other events were added earlier`,
}))

/**
 * How long a program can be down between a crash and its restart. The first period ends before delivery retries end and
 * idempotency keys expire. The second outlasts both, so events are lost even if the program is correct.
 */
export const restartChoices = [
  {
    name: 'hours_later',
    rank: 1,
    text: 'your program restarts 20 hours after the crash',
    time: spanOf('20h'),
  },
  {
    name: 'days_later',
    judgement: 'tolerance',
    rank: 2,
    text: 'your program restarts three days after the crash, after all deliveries have ended',
    time: spanOf('3d'),
  },
] as const

const faults: Record<PointKind, readonly NamedFault[]> = {
  request: requestFaults,
  delivery: deliveryFaults,
  clock: clockFaults,
  environment: [...environmentChoices, ...restartChoices],
}

export function faultNames(kind: PointKind): string[] {
  return faults[kind].map(({ name }) => name)
}

export function describeFault(planned: PlannedFault): string {
  const { kind, name, nth, fault } = planned
  const text = definitionOf(planned)?.text ?? fault
  if (kind === 'environment') return `Environment, ${fault}: ${text}.`
  if (kind === 'clock') return `Events scheduled for the same time, choice ${nth}: ${text}.`
  return `${kind === 'request' ? 'Request' : 'Event'} ${name} #${nth}: ${text}.`
}

/** Returns which rules and checks apply to a plan, or undefined if all apply. */
export function judgementOf(plan: Plan): Judgement | undefined {
  const judgements = plan.map((fault) => definitionOf(fault)?.judgement)
  return judgements.find((judgement) => judgement === 'rules') ?? judgements.find(Boolean)
}

export function isEnvironment(fault: PlannedFault): boolean {
  return fault.kind === 'environment' || definitionOf(fault)?.isEnvironment === true
}

function definitionOf({ kind, fault }: PlannedFault): NamedFault | undefined {
  return faults[kind].find(({ name }) => name === fault)
}

/** The names that the `environment` option accepts. */
export const environmentNames: readonly string[] = [
  ...new Set(
    Object.entries(faults).flatMap(([kind, known]: [string, readonly NamedFault[]]) =>
      known
        .filter(({ isEnvironment }) => kind === 'environment' || isEnvironment)
        .map(({ name }) => name),
    ),
  ),
]
