import { processMicroseconds } from './cpu-clock.ts'

/** A row in the tables that `npm run bench` and `npm run lab budgets` print. */
export interface Figure {
  what: string
  /** A ratio of two measurements in the same run, or a value with its unit. */
  found: string
  ratio?: number
  /** Absent without a limit. */
  isWithin?: boolean
  limit?: string
  /** The difference between the third and first quartiles of the ratios of several processes, as a share of the median. */
  spread?: number
}

/** @param aim A lower ratio that has not been reached yet. */
export function ratio(what: string, found: number, limit: number, aim?: number): Figure {
  const text = `at most ${limit}${aim === undefined ? '' : `, target ${aim}`}`
  return { what, found: found.toFixed(2), ratio: found, limit: text, isWithin: found <= limit }
}

/** @param aim A higher ratio that has not been reached yet. */
export function atLeast(what: string, found: number, limit: number, aim?: number): Figure {
  const text = `at least ${limit}${aim === undefined ? '' : `, target ${aim}`}`
  return { what, found: found.toFixed(2), ratio: found, limit: text, isWithin: found >= limit }
}

export function megabytes(what: string, found: number, limit: number): Figure {
  return {
    what,
    found: `${found.toFixed(1)} MB`,
    limit: `at most ${limit} MB`,
    isWithin: found <= limit,
  }
}

/** The maximum spread of figures that may be saved. */
const mostSpread = 0.1

/**
 * Returns each figure with the median and the spread of its ratios in several processes. A figure without a ratio comes
 * from the first process.
 */
export function mediansOf(runs: readonly Figure[][]): Figure[] {
  return (runs[0] ?? []).map((figure) => {
    const sorted = runsOf(figure, runs).sort((one, other) => one.ratio - other.ratio)
    const [first, median, third] = [1, 2, 3].map(
      (quarter) => sorted[Math.floor((sorted.length * quarter) / 4)],
    )
    if (!first || !median || !third) return figure
    return { ...median, spread: (third.ratio - first.ratio) / median.ratio }
  })
}

export function unsteadyFigures(figures: readonly Figure[]): string[] {
  return figures.flatMap(({ what, found, spread = 0 }) =>
    spread > mostSpread ? [`${what}: ${found}, spread ${spread.toFixed(2)}`] : [],
  )
}

/** Returns an empty list if the figure has no ratio. */
function runsOf({ what }: Figure, runs: readonly Figure[][]): (Figure & { ratio: number })[] {
  return runs.flatMap((figures) =>
    figures.flatMap((figure) => {
      return figure.what === what && figure.ratio !== undefined
        ? [{ ...figure, ratio: figure.ratio }]
        : []
    }),
  )
}

/** The Markdown table has a column for the spread if several processes measured the figures. */
export function tableOf(figures: readonly Figure[]): string {
  const haveSpread = figures.some(({ spread }) => spread !== undefined)
  const rowOf = (cells: string[], spread: string) =>
    `| ${[...cells, ...(haveSpread ? [spread] : [])].join(' | ')} |`
  const lines = figures.map((figure) => {
    const { what, found, limit = '', spread } = figure
    const verdict = figure.isWithin === undefined ? '' : isWithin(figure) ? 'within' : 'OUTSIDE'
    return rowOf([what, found, limit, verdict], spread?.toFixed(2) ?? '')
  })
  const head = rowOf(['What', 'Found', 'Limit', 'Result'], 'Spread')
  return [head, rowOf(['---', '---', '---', '---'], '---'), ...lines].join('\n')
}

export function isWithin(figure: Figure): boolean {
  return figure.isWithin !== false
}

/** Returns whether every figure is within its limit. */
export function printTable(figures: Figure[]): boolean {
  console.log(tableOf(figures))
  return figures.every(isWithin)
}

/** Returns the CPU time of the fastest round in milliseconds. The first rounds also serve as warm-up. */
export async function cpuTime(rounds: number, run: () => unknown): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round += 1) {
    const before = processMicroseconds()
    await run()
    fastest = Math.min(fastest, (processMicroseconds() - before) / 1000)
  }
  return fastest
}

/** Collects garbage first. The result is in megabytes. */
export function heap(): number {
  if (!globalThis.gc) throw new Error('Run with node --expose-gc, as npm run bench does.')
  globalThis.gc()
  globalThis.gc()
  return process.memoryUsage().heapUsed / 1024 / 1024
}
