/** Whether the long tests run, with `npm run lab long` and in CI. `npm test` runs a sample of them. */
export const runsLongTests = process.env['LONG_TESTS'] !== undefined

/** Returns a list for long tests, and every nth item of it for `npm test`. */
export function sampled<T>(items: readonly T[], nth: number): readonly T[] {
  return runsLongTests ? items : items.filter((_, index) => index % nth === 0)
}

/** Returns a number of runs for long tests, and a tenth of it for `npm test`. */
export function runsOf(all: number): number {
  return runsLongTests ? all : Math.ceil(all / 10)
}
