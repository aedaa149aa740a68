const given = process.env['LONG_TESTS']

/** Whether the long tests run: with `npm run lab long`, and in CI with `npm run lab long-bounded`. */
export const runsLongTests = given !== undefined

/** Whether all items of the long lists run. With `npm run lab long-bounded`, a third of them runs. */
export const runsAllItems = runsLongTests && given !== 'bounded'

/** Returns the items that run: all in long tests, every third in bounded ones, and every nth in `npm test`. */
export function sampled<T>(items: readonly T[], nth: number): readonly T[] {
  const step = runsAllItems ? 1 : runsLongTests ? Math.min(3, nth) : nth
  return items.filter((_, index) => index % step === 0)
}

/** Returns a number of runs: `all` in long tests, a third of it in bounded ones, and a tenth in `npm test`. */
export function runsOf(all: number): number {
  return Math.ceil(runsAllItems ? all : runsLongTests ? all / 3 : all / 10)
}
