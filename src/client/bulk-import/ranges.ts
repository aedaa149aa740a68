import type { RecipeRange } from './report.ts'

export function mergeRanges(ranges: readonly RecipeRange[]): RecipeRange[] {
  const joined: [first: number, end: number][] = []
  for (const [first, last] of ranges.toSorted((one, other) => one[0] - other[0])) {
    const end = last ?? Number.POSITIVE_INFINITY
    const before = joined.at(-1)
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], end)
    else joined.push([first, end])
  }
  return joined.map(([first, end]) => [first, Number.isFinite(end) ? end : null])
}

export function rangesFrom(position: number, ranges: readonly RecipeRange[]): RecipeRange[] {
  return ranges
    .filter(([, last]) => last === null || last >= position)
    .map(([first, last]) => [Math.max(first, position), last])
}

export function isRanges(value: unknown): value is readonly RecipeRange[] {
  return Array.isArray(value) && Array.from(value).every(isRange)
}

function isRange(value: unknown): value is RecipeRange {
  if (!Array.isArray(value) || value.length !== 2) return false
  const [first, last]: unknown[] = value
  return isPosition(first) && (last === null || (isPosition(last) && last >= first))
}

function isPosition(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
