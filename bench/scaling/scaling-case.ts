/** Work whose cost is measured at three sizes. */
export interface ScalingCase {
  /** What is measured, and what a unit of its size is. */
  what: string
  /** `linear`: the cost grows with the size. `constant`: a fixed amount of work costs the same at every size. */
  growth: 'linear' | 'constant'
  /** The largest size; the others are a quarter and a sixteenth of it. */
  size: number
  /** Prepares the work at a size, and returns it. What it returns is in memory when the memory is measured. */
  prepare: (size: number) => Work | Promise<Work>
}

type Work = () => unknown

/** The cost of a case. */
export interface ScalingResult {
  /** The cost is proportional to the size to the power of this number. */
  exponent: number
  /** The microseconds of a unit of the largest size. */
  microseconds: number
  /** The bytes that a unit of the largest size keeps. */
  bytes: number
  /** The largest size. */
  size: number
}

/** The measurements of each size; the fastest counts. */
const rounds = 3
const boundedRounds = 2

/** The least CPU time of a measurement, because some platforms count it in steps of milliseconds, and its most turns. */
const leastMicroseconds = 20_000
const mostTurns = 16

/** How much smaller the sizes of a bounded run are. */
const boundedBy = 4

/** Measures the CPU time of the main thread at three sizes, in turns, and the memory at the largest one. */
export async function measureScaling(
  { size, prepare }: Pick<ScalingCase, 'size' | 'prepare'>,
  isBounded: boolean,
): Promise<ScalingResult> {
  const largest = isBounded ? size / boundedBy : size
  const sizes = [largest / 16, largest / 4, largest].map(Math.round)
  const fastest = sizes.map(() => Number.POSITIVE_INFINITY)
  // Compiles the code.
  await runTurns(prepare, sizes[0] ?? 1)
  let bytes = 0
  for (let round = 0; round < (isBounded ? boundedRounds : rounds); round += 1) {
    for (const [at, count] of sizes.entries()) {
      const cost = await runTurns(prepare, count)
      fastest[at] = Math.min(fastest[at] ?? cost.microseconds, cost.microseconds)
      bytes = cost.bytes
    }
  }
  const [least = 1, , most = 1] = fastest
  return {
    // A cost of nothing has no logarithm.
    exponent: Math.log(Math.max(1, most) / Math.max(1, least)) / Math.log(16),
    microseconds: most / largest,
    bytes: bytes / largest,
    size: largest,
  }
}

/** Runs the work until it has taken a while. Returns the mean CPU time, and the bytes that the first turn keeps. */
async function runTurns(prepare: ScalingCase['prepare'], size: number) {
  const before = heapBytes()
  const first = await runOnce(prepare, size)
  let total = first.microseconds
  const bytes = heapBytes() - before
  // It was in use until here.
  first.kept.length = 0
  let turns = 1
  for (; total < leastMicroseconds && turns < mostTurns; turns += 1) {
    total += (await runOnce(prepare, size)).microseconds
  }
  return { microseconds: total / turns, bytes }
}

async function runOnce(prepare: ScalingCase['prepare'], size: number) {
  const work = await prepare(size)
  const start = process.threadCpuUsage()
  const result = await work()
  const { user, system } = process.threadCpuUsage(start)
  return { microseconds: user + system, kept: [work, result] }
}

function heapBytes(): number {
  if (!globalThis.gc) throw new Error('Run with node --expose-gc, as npm run bench does.')
  globalThis.gc()
  return process.memoryUsage().heapUsed
}
