import { explore } from '../mock/explore.ts'
import { atLeast, type Figure } from './figure.ts'

/** A bug-free program that keeps its orders in a file. */
const module = new URL('../test/explore/modules/programs.ts?program=long', import.meta.url)

/**
 * Compares how long the same runs of `explore` take in one thread and in two. Each time is the median of several
 * rounds.
 */
export default async function (isFull: boolean): Promise<Figure[]> {
  const [runs, rounds] = isFull ? [600, 3] : [200, 1]
  const times: Record<number, number[]> = { 1: [], 2: [] }
  for (let round = 0; round < rounds; round += 1) {
    for (const workers of [1, 2]) {
      const start = performance.now()
      await explore({ module, workers, budget: { runs }, print: () => {} })
      times[workers]?.push(performance.now() - start)
    }
  }
  const faster = median(times[1]) / median(times[2])
  return [
    atLeast(`explore: speed of ${runs} runs in two threads / in one thread`, faster, 1.3, 1.7),
  ]
}

function median(values: readonly number[] = []): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}
