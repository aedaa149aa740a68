/**
 * Returns JSON as a JavaScript literal with the same value. In a literal, a plain `__proto__` key would set the object's
 * prototype.
 */
export function toLiteral(json: string): string {
  return json.replaceAll(/(?<!\\)"__proto__":/g, '["__proto__"]:')
}
