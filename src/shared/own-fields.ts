/** The names that `Object.prototype` has in every program. */
const standardNames = new Set([
  '__defineGetter__',
  '__defineSetter__',
  '__lookupGetter__',
  '__lookupSetter__',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  'toString',
  'valueOf',
])

/** Returns the names that a program, or an attacker, added to `Object.prototype`. */
export function addedNames(): string[] {
  // Their number proves nothing: a program may have deleted some, as Node does with `--disable-proto=delete`.
  return Object.getOwnPropertyNames(Object.prototype).filter((name) => !standardNames.has(name))
}

/** An object that inherits nothing. Unlike `Object.create(null)`, it is as fast as a literal. */
class Fields {}
Reflect.deleteProperty(Fields.prototype, 'constructor')
Object.setPrototypeOf(Fields.prototype, null)

/**
 * Copies the own fields of an object. The copy inherits nothing, so properties that others add to `Object.prototype` are not
 * among its fields.
 */
export function ownFields<T extends object>(fields: T): T {
  // The copy has the fields of T.
  return Object.assign(new Fields(), fields) as T
}

/** Sets an own field. An assignment would fail if the object inherits a field of this name that cannot be changed. */
export function setField(object: object, name: string, value: unknown): void {
  const field = ownFields({ value, writable: true, enumerable: true, configurable: true })
  Reflect.defineProperty(object, name, field)
}

/**
 * For each of the given names that was added to `Object.prototype`, adds an own, undefined field, so that a library does not
 * find the added value.
 */
export function shield(object: object, read: readonly string[]): void {
  for (const name of addedNames()) {
    const isFound = read.includes(name) && !Object.hasOwn(object, name)
    if (isFound) setField(object, name, undefined)
  }
}

/** Runs synchronous code of a library or of the platform without the added fields, which are back when it returns. */
export function withoutAddedFields<T>(run: () => T): T {
  const names = addedNames()
  if (names.length === 0) return run()
  const added = names.map((name) => Object.getOwnPropertyDescriptor(Object.prototype, name) ?? {})
  for (const name of names) Reflect.deleteProperty(Object.prototype, name)
  try {
    return run()
  } finally {
    for (const [at, name] of names.entries()) {
      Reflect.defineProperty(Object.prototype, name, ownFields(added[at] ?? {}))
    }
  }
}

/** Replaces a value before it is written as JSON. */
type Replacer = (this: Record<string, unknown>, key: string, value: unknown) => unknown

/**
 * Writes JSON without calling a `toJSON` that others added to `Object.prototype`. Returns undefined where `JSON.stringify`
 * does.
 */
export function toJson(value: object, replacer?: Replacer): string
export function toJson(value: unknown, replacer?: Replacer): string | undefined
export function toJson(value: unknown, replacer?: Replacer): string | undefined {
  return withoutAddedFields(() => JSON.stringify(value, replacer))
}

/** The longest chain of prototypes that is searched for a field. */
const maxPrototypes = 20

/**
 * Returns a field of a foreign object: its own one, or one of its class. Fields that others added to `Object.prototype` do
 * not count. Returns undefined when the field is missing or cannot be read.
 */
export function readField(object: unknown, name: PropertyKey): unknown {
  try {
    const target = Object(object)
    return hasField(target, name) ? target[name] : undefined
  } catch {
    // A getter, or the trap of a proxy, threw.
    return undefined
  }
}

/** Returns whether an object or its class has a field. */
export function hasField(object: object, name: PropertyKey): boolean {
  let at: object | null = object
  for (let depth = 0; at !== null && depth < maxPrototypes; depth += 1) {
    const parent: object | null = Object.getPrototypeOf(at)
    const isRoot = parent === null && at !== object
    if (!isRoot && Object.hasOwn(at, name)) return true
    at = parent
  }
  return false
}
