import { processMicroseconds } from './cpu-clock.ts'

/** One line of the tables that `npm run bench` and `npm run lab budgets` print. */
export interface Figure {
  what: string
  /** A ratio of two measurements of the same run, or a value with its unit. */
  found: string
  /** Whether the value is within the limit. Absent without a limit. */
  isWithin?: boolean
  limit?: string
}

/** Returns a ratio that must not exceed its limit. The aim is a lower ratio that is not reached yet. */
export function ratio(what: string, found: number, limit: number, aim?: number): Figure {
  const text = `at most ${limit}${aim === undefined ? '' : `, aim ${aim}`}`
  return { what, found: found.toFixed(2), limit: text, isWithin: found <= limit }
}

/** Returns a ratio that must not be below its limit. The aim is a higher ratio that is not reached yet. */
export function atLeast(what: string, found: number, limit: number, aim?: number): Figure {
  const text = `at least ${limit}${aim === undefined ? '' : `, aim ${aim}`}`
  return { what, found: found.toFixed(2), limit: text, isWithin: found >= limit }
}

/** Returns a number of megabytes that must not exceed its limit. */
export function megabytes(what: string, found: number, limit: number): Figure {
  return {
    what,
    found: `${found.toFixed(1)} MB`,
    limit: `at most ${limit} MB`,
    isWithin: found <= limit,
  }
}

/** Formats figures as a Markdown table. */
export function tableOf(figures: Figure[]): string {
  const lines = figures.map((figure) => {
    const { what, found, limit = '' } = figure
    const verdict = figure.isWithin === undefined ? '' : isWithin(figure) ? 'within' : 'EXCEEDED'
    return `| ${what} | ${found} | ${limit} | ${verdict} |`
  })
  return ['| What | Found | Limit | |', '|---|---|---|---|', ...lines].join('\n')
}

/** Returns whether a figure is within its limit, or has none. */
export function isWithin(figure: Figure): boolean {
  return figure.isWithin !== false
}

/** Prints a table and returns whether every figure is within its limit. */
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

/** Returns the megabytes on the heap after a garbage collection. */
export function heap(): number {
  if (!globalThis.gc) throw new Error('Run with node --expose-gc, as npm run bench does.')
  globalThis.gc()
  globalThis.gc()
  return process.memoryUsage().heapUsed / 1024 / 1024
}
