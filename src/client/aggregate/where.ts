/** A value for a comparison in a `where` expression. */
export type WhereValue = string | number | boolean | null

/**
 * Builds a `where` expression. Interpolated values are escaped: a string with quotes remains a string and cannot change
 * the expression.
 *
 * @throws {TypeError} when a value is not a string, finite number, boolean or null.
 * @example
 * where`score >= ${80} AND source_provider = ${provider}`
 */
export function where(parts: TemplateStringsArray, ...values: WhereValue[]): string {
  return parts.reduce((expression, part, at) => expression + formatLiteral(values[at - 1]) + part)
}

function formatLiteral(value: WhereValue | undefined): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  if (typeof value === 'boolean' || value === null) return String(value)
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  throw new TypeError('where: expected a string, a finite number, a boolean or null')
}
