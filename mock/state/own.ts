/** Returns the value of an object's own name; undefined for others, such as `constructor`. */
export function own<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}
