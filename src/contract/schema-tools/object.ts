/** Returns whether a value is an object and not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The largest number of issues that are found in a value by default: a large value may have millions. */
export const maxIssues = 100
