import type { StoredRow, TruthRow } from '../../mock/index.ts'

/** The descriptions contain no values. */
export function differencesOf(truth: readonly TruthRow[], stored: readonly StoredRow[]): string[] {
  const rows = new Map(stored.map((row) => [keyOf(row), row]))
  const problems = truth.flatMap((expected) => {
    const row = rows.get(keyOf(expected))
    if (!row) return [`${expected.resource} is missing`]
    return Object.entries(expected)
      .filter(([name, value]) => !isSame(row[name], value))
      .map(([name]) => `${expected.resource} differs in ${name}`)
  })
  const known = new Set(truth.map(keyOf))
  const extra = stored.filter((row) => !known.has(keyOf(row)))
  const doubled = stored.length - rows.size
  return [
    ...problems,
    ...extra.map(({ resource }) => `${resource} was never sent`),
    ...Array.from({ length: doubled }, () => 'a row is stored twice'),
  ]
}

function keyOf({ resource, id, timestamp, source }: StoredRow): string {
  const { provider, type } = Object(source)
  return typeof id === 'string'
    ? `${resource}/${id}`
    : `${resource}/${provider}/${type}/${Date.parse(String(timestamp))}`
}

/** The order of fields does not matter. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other
  if (one === null || other === null) return one === other
  const [fields, others] = [Object.entries(one), new Map(Object.entries(other))]
  return (
    fields.length === others.size &&
    fields.every(([name, value]) => isSame(value, others.get(name)))
  )
}
