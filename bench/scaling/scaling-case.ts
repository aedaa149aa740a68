import { cpuMicroseconds } from '../cpu-clock.ts'
import {
  type Growth,
  isComparedWithMap,
  isFixed,
  isWithinLimit,
  type ScalingCosts,
} from './growth.ts'

export interface ScalingCase {
  /** A description of the work, and of a unit of its size. */
  what: string
  growth: Growth
  /** The largest size. The other sizes are a quarter and a sixteenth of it. */
  size: number
  /** The measured memory includes the work and its result. */
  prepare: (size: number) => Work | Promise<Work>
}

type Work = () => unknown

/** The maximum number of measurements per size while a case exceeds its limit. The fastest measurement is used. */
const mostRounds = 5

/** The number of times that the smallest size runs before the measurements, unless the work is always the same. */
const warmUpTurns = 8

/** Bounded runs divide the sizes by this factor. */
const boundedBy = 8

/** Measures the CPU time at three sizes, alternately, and the memory at the largest size. */
export async function measureCosts(
  { size, growth, prepare }: Pick<ScalingCase, 'size' | 'growth' | 'prepare'>,
  isBounded: boolean,
): Promise<ScalingCosts> {
  const largest = isBounded ? size / boundedBy : size
  const sizes = [largest / 16, largest / 4, largest].map(Math.round)
  // Each measurement processes the same number of units, because other programs would disturb a shorter measurement less
  // often.
  const turnsOf = (count: number) => (isFixed(growth) ? 1 : Math.round(largest / count))
  const measureAll = async (each: ScalingCase['prepare']) => {
    // Measure the largest size first, because the compiler optimizes the code during that time.
    const costs: TurnCosts[] = []
    for (const count of sizes.toReversed()) {
      costs.unshift(await measureTurns(each, count, turnsOf(count)))
    }
    return {
      microseconds: costs.map(({ microseconds }) => microseconds),
      bytes: (costs.at(-1)?.bytes ?? 0) / largest,
    }
  }
  const prepareComparison = isFixed(growth) ? prepareFullMap : prepareMap
  // Runs first to compile the code.
  await measureTurns(prepare, sizes[0] ?? 1, isFixed(growth) ? 1 : warmUpTurns)
  const costs: ScalingCosts = { sizes, ...(await measureAll(prepare)) }
  if (isComparedWithMap(growth)) costs.ofMap = (await measureAll(prepareComparison)).microseconds
  for (let round = 1; round < mostRounds && !isWithinLimit(growth, costs); round += 1) {
    const { microseconds, bytes } = await measureAll(prepare)
    costs.microseconds = leastOf(costs.microseconds, microseconds)
    costs.bytes = Math.min(costs.bytes, bytes)
    if (costs.ofMap)
      costs.ofMap = leastOf(costs.ofMap, (await measureAll(prepareComparison)).microseconds)
  }
  return costs
}

export function leastOf(one: readonly number[], other: readonly number[]): number[] {
  return one.map((value, at) => Math.min(value, other[at] ?? value))
}

/** The work deletes the entries in a different order from the one in which it adds them. */
function prepareMap(size: number): Work {
  return () => {
    const map = new Map<string, object>()
    for (let at = 0; at < size; at += 1) map.set(String(at), { at })
    for (let at = 0; at < size; at += 1) map.delete(String((at * 7919) % size))
    return map
  }
}

/** Returns work that adds many entries to a full `Map`, each in place of the oldest. */
function prepareFullMap(size: number): Work {
  const map = new Map<string, object>()
  for (let at = 0; at < size; at += 1) map.set(`msg_${at}`, { at })
  return () => {
    const oldest = map.keys()
    for (let at = size; at < size + 200_000; at += 1) {
      map.set(`msg_${at}`, { at })
      map.delete(oldest.next().value ?? '')
    }
    return map
  }
}

interface TurnCosts {
  /** The mean CPU time of the work. */
  microseconds: number
  /** The memory that the last turn keeps. */
  bytes: number
}

async function measureTurns(
  prepare: ScalingCase['prepare'],
  size: number,
  turns: number,
): Promise<TurnCosts> {
  const before = heapBytes()
  let kept: unknown[] = []
  let total = 0
  for (let turn = 1; turn <= turns; turn += 1) {
    kept = []
    const work = await prepare(size)
    const start = cpuMicroseconds()
    kept.push(work, await work())
    total += cpuMicroseconds() - start
  }
  const bytes = heapBytes() - before
  // Keep the results in use until here.
  kept.length = 0
  return { microseconds: total / turns, bytes }
}

function heapBytes(): number {
  if (!globalThis.gc) throw new Error('Run with node --expose-gc, as npm run bench does.')
  globalThis.gc()
  return process.memoryUsage().heapUsed
}
