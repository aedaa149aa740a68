import * as fc from 'fast-check'

/** Something that must bear any input. */
export interface Target {
  name: string
  /** Runs it so many times from a seed; gives the smallest input that fails, if any does. */
  check: (parameters: Parameters) => Promise<Failure | undefined>
}

export interface Failure {
  input: string
  error: unknown
}

export interface Parameters {
  seed: number
  runs: number
  /** Told the number of each run before it begins. */
  begins: (run: number) => void
}

/** Milliseconds of the processor that one input may take. */
const greatestTime = 5000

/** A target: what it is given, and what must hold for each input. */
export function target<T>(
  name: string,
  input: fc.Arbitrary<T>,
  holds: (input: T) => void | Promise<void>,
): Target {
  const check = async ({ seed, runs, begins }: Parameters) => {
    let run = 0
    const property = fc.asyncProperty(input, async (value) => {
      run += 1
      begins(run)
      const began = process.cpuUsage()
      await holds(value)
      const { user, system } = process.cpuUsage(began)
      const time = Math.round((user + system) / 1000)
      if (time > greatestTime) throw new Error(`took ${time} ms`)
    })
    const { failed, counterexample, errorInstance } = await fc.check(property, {
      seed,
      numRuns: runs,
    })
    if (!failed) return undefined
    return { input: fc.stringify(counterexample?.[0]), error: errorInstance }
  }
  return { name, check }
}

/** Throws unless an error is of the kind that the code documents. */
export function expectKind(
  error: unknown,
  kind: abstract new (...facts: never[]) => unknown,
): void {
  if (error instanceof kind) return
  throw new Error(`threw no ${kind.name}`, { cause: error })
}

/** Throws unless something holds. */
export function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`does not hold: ${what}`)
}
