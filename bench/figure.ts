/** One line of the tables that `npm run bench` and `npm run budgets` print. */
export interface Figure {
  what: string
  /** Of two things measured in the same run, or a plain figure with its unit. */
  found: string
  /** The limit; undefined for a figure without one. */
  isWithin?: boolean
  limit?: string
}

export function ratio(what: string, found: number, limit: number): Figure {
  return { what, found: found.toFixed(2), limit: `at most ${limit}`, isWithin: found <= limit }
}

/** A ratio that must not be lower than its limit. */
export function atLeast(what: string, found: number, limit: number): Figure {
  return { what, found: found.toFixed(2), limit: `at least ${limit}`, isWithin: found >= limit }
}

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

export function isWithin(figure: Figure): boolean {
  return figure.isWithin !== false
}

/** Prints a table and returns whether every figure is within its limit. */
export function printTable(figures: Figure[]): boolean {
  console.log(tableOf(figures))
  return figures.every(isWithin)
}

/** The CPU time of the fastest of so many rounds, in milliseconds; the first rounds only warm up. */
export async function cpuTime(rounds: number, run: () => unknown): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(before)
    fastest = Math.min(fastest, (user + system) / 1000)
  }
  return fastest
}

/** Megabytes in use after everything that can be freed was. */
export function heap(): number {
  if (!globalThis.gc) throw new Error('Run with node --expose-gc, as npm run bench does.')
  globalThis.gc()
  globalThis.gc()
  return process.memoryUsage().heapUsed / 1024 / 1024
}
