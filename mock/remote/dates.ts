/** A value whose `at` is a date, as JSON carries it. */
export type Dated<T extends { at: Date }> = Omit<T, 'at'> & { at: string }

/** Returns a value with its `at` as a `Date`. */
export function reviveDate<T extends { at: Date }>(value: Dated<T>): T {
  // TypeScript cannot see that only `at` differs.
  return { ...value, at: new Date(value.at) } as unknown as T
}
