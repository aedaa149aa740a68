const namePattern = /^[a-zA-Z0-9][a-zA-Z0-9\-.,']*(?:\s[a-zA-Z0-9\-.,']+)*$/

/**
 * Whether a first or last name passes the labs' name validation (specification 2.1, rules as presumed):
 * it starts with a letter or digit and holds only letters, digits, `-`, `.`, `,`, `'` and single inner spaces.
 * The client never blocks a name; call this to warn early.
 *
 * @example
 * isLabName("O'Connor") // true
 * isLabName('José') // false
 */
export function isLabName(name: string): boolean {
  return namePattern.test(name)
}
