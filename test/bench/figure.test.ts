import { expect, it } from 'vitest'
import { atLeast, drawBars, mediansOf, ratio, unsteadyFigures } from '../../bench/figure.ts'

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

it('draws the costs of the peers of a comparison beside that of the package', () => {
  const peers = { 'A call': 'ky', 'The same call': 'fetch' }
  const comparisons = [
    { title: 'A 1 KB call', peers: { ...peers, 'A figure that is missing': 'axios' } },
    { title: 'A request', peers: { 'Requests per second': 'node:http' }, isSpeed: true },
    { title: 'Nothing', peers: { Nothing: 'nobody' } },
  ]
  const figures = [
    ratio('A call', 0.5, 1),
    ratio('The same call', 4, 5),
    atLeast('Requests per second', 0.5, 0.4),
  ]
  expect(drawBars(comparisons, figures).split('\n')).toEqual([
    'A 1 KB call:',
    '',
    '```bars',
    'health-lab-sdk | 0-50 | 1.00',
    'ky | 0-100 | 2.00',
    'fetch | 0-13 | 0.25',
    '```',
    '',
    'A request:',
    '',
    '```bars',
    'health-lab-sdk | 0-100 | 1.00',
    'node:http | 0-50 | 0.50',
    '```',
  ])
})
