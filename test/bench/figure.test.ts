import { expect, it } from 'vitest'
import { mediansOf, ratio, unsteadyFigures } from '../../bench/figure.ts'

const runs = (...ratios: number[]) => ratios.map((found) => [ratio('A call', found, 1.2)])

it('returns the median of several processes, with its own verdict and its spread', () => {
  const [median] = mediansOf(runs(1.3, 1.1, 1))
  expect(median).toMatchObject(ratio('A call', 1.1, 1.2))
  expect(median?.spread).toBeCloseTo(0.27)
})

it('takes the spread from the quartiles, so that a single slow process does not count', () => {
  const [median] = mediansOf(runs(1, 1.01, 1.02, 1.03, 1.04, 1.05, 1.06, 1.07, 9))
  expect(median?.ratio).toBe(1.04)
  expect(median?.spread).toBeCloseTo(0.04)
})

it('returns figures without a ratio from the first process', () => {
  const [first, second] = ['1 MB', '2 MB'].map((found) => [{ what: 'Heap growth', found }])
  expect(mediansOf([first ?? [], second ?? []])).toEqual(first)
})

it('finds ratios that differ by more than a tenth', () => {
  expect(unsteadyFigures(mediansOf(runs(1, 1.05, 1.09)))).toEqual([])
  expect(unsteadyFigures(mediansOf(runs(1, 1.05, 1.2)))).toEqual(['A call: 1.05, spread 0.19'])
})
