import { readField } from '../../shared/own-fields.ts'

/** A class that `instanceof` recognizes across copies of this package, such as its ESM and CommonJS builds. */
interface KindClass {
  /** The class name, unchanged by minifiers. A subclass without its own `kind` matches only its own instances. */
  readonly kind: string
}

/** The key under which an instance lists its kinds. A registered symbol is the same in every copy of the package. */
export const kindsKey: unique symbol = Symbol.for('health-lab-sdk.error')

/** Returns an instance's kinds, most specific first. */
export function kindsOf(instance: object): readonly string[] {
  const kinds: string[] = []
  let at: unknown = instance.constructor
  while (typeof at === 'function') {
    // Every class with its own `kind` is a KindClass.
    const { kind }: KindClass = Object(at)
    if (Object.hasOwn(at, 'kind')) kinds.push(kind)
    at = Object.getPrototypeOf(at)
  }
  return kinds
}

export function isOfKind(value: unknown, expected: KindClass): boolean {
  if (!Object.hasOwn(expected, 'kind'))
    return Function.prototype[Symbol.hasInstance].call(expected, value)
  if (typeof value !== 'object' || value === null) return false
  const kinds = readField(value, kindsKey)
  return Array.isArray(kinds) && kinds.includes(expected.kind)
}
