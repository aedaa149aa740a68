import * as fc from 'fast-check'

/** Code that is tested with random input. */
export interface Target {
  name: string
  /** Runs the code with random inputs. Resolves to the smallest failing input, if any. */
  check: (parameters: Parameters) => Promise<Failure | undefined>
}

export interface Failure {
  input: string
  error: unknown
}

export interface Parameters {
  seed: number
  runs: number
  /** Called with the number of each run before it starts. */
  onRun: (run: number) => void
}

/** The maximum CPU time for one input, in milliseconds. */
const maxTime = 5000

export function target<T>(
  name: string,
  input: fc.Arbitrary<T>,
  test: (input: T) => void | Promise<void>,
): Target {
  const check = async ({ seed, runs, onRun }: Parameters) => {
    let run = 0
    const property = fc.asyncProperty(input, async (value) => {
      run += 1
      onRun(run)
      const start = process.cpuUsage()
      await test(value)
      const { user, system } = process.cpuUsage(start)
      const time = Math.round((user + system) / 1000)
      if (time > maxTime) throw new Error(`The input took ${time} ms.`)
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

export function expectKind(
  error: unknown,
  kind: abstract new (...facts: never[]) => unknown,
): void {
  if (error instanceof kind) return
  throw new Error(`Expected a ${kind.name}.`, { cause: error })
}

export function ensure(condition: boolean, expectation: string): asserts condition {
  if (!condition) throw new Error(`Expected that ${expectation}.`)
}
