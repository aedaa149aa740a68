import type { Figure } from '../bench/figure.ts'

/** A figure with its limit. Where it does not reach its aim yet, the limit keeps it from going further away. */
export function atMost(
  what: string,
  found: number,
  limit: number,
  unit = '',
  aim?: number,
): Figure {
  const aimed = aim === undefined || found <= aim ? '' : `, aim ${aim} ${unit}`
  return {
    what,
    found: written(found, unit),
    limit: `at most ${limit} ${unit}${aimed}`.replaceAll(' ,', ',').trim(),
    isWithin: found <= limit,
  }
}

/** A figure without a limit. */
export function told(what: string, found: number, unit = ''): Figure {
  return { what, found: written(found, unit) }
}

function written(found: number, unit: string): string {
  const digits = Number.isInteger(found) ? 0 : unit === 'KB' ? 1 : 2
  return `${found.toFixed(digits)} ${unit}`.trim()
}
