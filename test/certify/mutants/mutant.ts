import { Receiver } from '../receiver.ts'

/** A receiver with one bug. */
export interface Mutant {
  /** What it does, after `a receiver that`. */
  name: string
  /** Changes a correct receiver. */
  change: (receiver: Receiver) => void
}

/** Returns the mutants of changes by name. Each change returns the methods that it replaces. */
export function mutantsOf(
  changes: Record<string, (receiver: Receiver) => Partial<Receiver>>,
): Mutant[] {
  return Object.entries(changes).map(([name, change]) => ({
    name,
    change: (receiver) => Object.assign(receiver, change(receiver)),
  }))
}

/** Returns a receiver with one bug. */
export function createMutant({ change }: Mutant): Receiver {
  const receiver = new Receiver()
  change(receiver)
  return receiver
}
