import type { Figure } from '../../bench/figure.ts'

export function atMost(what: string, found: number, limit: number, unit = ''): Figure {
  return {
    what,
    found: written(found, unit),
    limit: `at most ${limit} ${unit}`.trim(),
    isWithin: found <= limit,
  }
}

export function withoutLimit(what: string, found: number, unit = ''): Figure {
  return { what, found: written(found, unit) }
}

function written(found: number, unit: string): string {
  const digits = Number.isInteger(found) ? 0 : unit === 'KB' ? 1 : 2
  return `${found.toFixed(digits)} ${unit}`.trim()
}
