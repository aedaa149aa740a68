import { deliveryFaults } from './delivery-faults.ts'
import type { PlannedFault, PointKind } from './plan.ts'
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

/** What all faults have. */
interface NamedFault {
  /** The name in replay lines and reports. */
  name: string
  /** What happens, as a sentence without its subject. */
  text: string
  /** Whether it only tests that the program tolerates what the specification may add. */
  isDrift?: boolean
}

const faults: Record<PointKind, readonly NamedFault[]> = {
  request: requestFaults,
  delivery: deliveryFaults,
  clock: clockFaults,
}

/** Returns the names of the faults at points of a kind. */
export function faultNames(kind: PointKind): string[] {
  return faults[kind].map(({ name }) => name)
}

/** Describes a fault in words. */
export function describeFault({ kind, name, nth, fault }: PlannedFault): string {
  const text = faults[kind].find((known) => known.name === fault)?.text ?? fault
  if (kind === 'clock') return `Events that are due at the same time, choice ${nth}: ${text}.`
  return `${kind === 'request' ? 'Request' : 'Event'} ${name} #${nth}: ${text}.`
}

/** Returns whether a fault changes only what the program receives, not what the service has. */
export function isDrift({ kind, fault }: PlannedFault): boolean {
  return faults[kind].find(({ name }) => name === fault)?.isDrift ?? false
}
