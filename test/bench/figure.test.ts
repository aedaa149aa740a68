import { expect, it } from 'vitest'
import { drawBars, mediansOf, ratio, unsteadyFigures } from '../../bench/figure.ts'

const runs = (...ratios: number[]) => ratios.map((found) => [ratio('A call', found, 1.2)])

it('returns the median of several processes, with its own verdict', () => {
  expect(mediansOf(runs(1.3, 1.1, 1))).toEqual([ratio('A call', 1.1, 1.2)])
})

it('returns figures without a ratio from the first process', () => {
  const [first, second] = ['1 MB', '2 MB'].map((found) => [{ what: 'Heap growth', found }])
  expect(mediansOf([first ?? [], second ?? []])).toEqual(first)
})

it('finds ratios that differ by more than a tenth', () => {
  expect(unsteadyFigures(runs(1, 1.05, 1.09))).toEqual([])
  expect(unsteadyFigures(runs(1, 1.05, 1.2))).toEqual(['A call: 1.05, spread 0.19'])
})

it('draws a bar for each side of a comparison', () => {
  const bars = [{ what: 'A call', title: 'A 1 KB call', peer: 'ky' }]
  const [figures = []] = runs(1.5)
  const [ours, peer] = ['█'.repeat(30), '█'.repeat(20)]
  expect(drawBars(bars, figures)).toBe(
    `\`\`\`text\nA 1 KB call\n  health-lab-sdk  ${ours} 1.50\n  ky              ${peer} 1.00\n\`\`\``,
  )
})
