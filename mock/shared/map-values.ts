/** Returns a record with the same keys and changed values. */
export function mapValues<From, To>(
  values: Readonly<Record<string, From>>,
  change: (value: From, name: string, place: number) => To,
): Record<string, To> {
  const entries = Object.entries(values)
  return Object.fromEntries(entries.map(([name, value], at) => [name, change(value, name, at)]))
}
