const namePattern = /^[a-zA-Z0-9][a-zA-Z0-9\-.,']*(?: [a-zA-Z0-9\-.,']+)*$/

/**
 * Returns whether a first or last name passes the labs' name validation (specification 2.1, rules assumed): it starts
 * with a letter or digit and contains only letters, digits, `-`, `.`, `,`, `'` and single inner spaces. The client sends
 * every name; call this to warn your users early.
 *
 * @example
 * isLabName("O'Connor") // true
 * isLabName('José') // false
 */
export function isLabName(name: string): boolean {
  return namePattern.test(name)
}
