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

/** How much smaller the sizes of a bounded run are. */
const boundedBy = 4

/** Measures the CPU time of the main thread at three sizes, in turns, and the memory at the largest one. */
export async function measureScaling(
  { size, growth, prepare }: ScalingCase,
  isBounded: boolean,
): Promise<ScalingResult> {
  const largest = isBounded ? size / boundedBy : size
  // Some platforms count CPU time in steps of milliseconds, so that the smaller sizes take turns to do as much work.
  const sizes = [16, 4, 1].map((part) => {
    return { size: Math.round(largest / part), turns: growth === 'linear' ? part : 1 }
  })
  const fastest = sizes.map(() => Number.POSITIVE_INFINITY)
  // Compiles the code.
  await runOnce(prepare, Math.round(largest / 16))
  let bytes = 0
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, { size, turns }] of sizes.entries()) {
      let microseconds = 0
      for (let turn = 0; turn < turns; turn += 1) {
        const cost = await runOnce(prepare, size)
        microseconds += cost.microseconds / turns
        bytes = cost.bytes
      }
      fastest[at] = Math.min(fastest[at] ?? microseconds, microseconds)
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

async function runOnce(prepare: ScalingCase['prepare'], size: number) {
  const before = heapBytes()
  const work = await prepare(size)
  heapBytes()
  const start = process.threadCpuUsage()
  const result = await work()
  const { user, system } = process.threadCpuUsage(start)
  const bytes = heapBytes() - before
  // Both are in use until here, so that they are part of the memory.
  return { microseconds: user + system, bytes, kept: [work, result].length }
}

function heapBytes(): number {
  if (!globalThis.gc) throw new Error('Run with node --expose-gc, as npm run bench does.')
  globalThis.gc()
  return process.memoryUsage().heapUsed
}
