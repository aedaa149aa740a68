export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The default maximum number of issues to find in a value. A large value may have millions of issues. */
export const maxIssues = 100
