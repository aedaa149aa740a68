import { describe, expect, it } from 'vitest'
import { exponentOf, type Growth, isWithinLimit } from '../../bench/scaling/growth.ts'

const sizes = [1000, 4000, 16_000]

function costsOf(cost: (size: number) => number, ofMap?: (size: number) => number) {
  const costs = { sizes, microseconds: sizes.map(cost), bytes: 0 }
  return ofMap ? { ...costs, ofMap: sizes.map(ofMap) } : costs
}

describe('the exponent of costs', () => {
  it.each<[Growth, string, boolean, (size: number) => number]>([
    ['linear', 'linear costs', true, (size) => size],
    ['linear', 'the costs of a sort', true, (size) => size * Math.log2(size)],
    ['linear', 'linear costs with a quadratic part', false, (size) => size + (size * size) / 4000],
    ['constant', 'a constant cost', true, () => 500],
    ['constant', 'a cost with a logarithm', true, (size) => Math.log2(size)],
    ['constant', 'the cost of a scan', false, (size) => 500 + size / 10],
  ])('as %s growth, the limit holds for %s: %s', (growth, _, isWithin, cost) => {
    expect(isWithinLimit(growth, costsOf(cost))).toBe(isWithin)
  })

  it('is compared with that of a Map', () => {
    const slowed = (size: number) => size ** 1.3
    expect(exponentOf(costsOf(slowed, slowed))).toBeCloseTo(1)
    expect(isWithinLimit('lookup', costsOf(slowed, slowed))).toBe(true)
    const quadratic = costsOf((size) => size ** 2, slowed)
    expect(isWithinLimit('lookup', quadratic)).toBe(false)
    expect(isWithinLimit('control', quadratic)).toBe(true)
    const accesses = costsOf(
      (size) => size ** 0.3,
      (size) => size ** 0.2,
    )
    expect(isWithinLimit('accesses', accesses)).toBe(true)
    const scan = costsOf(
      (size) => 500 + size / 10,
      (size) => size ** 0.2,
    )
    expect(isWithinLimit('accesses', scan)).toBe(false)
  })
})
