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

/** Returns the names of fields that a program or an attacker has added to `Object.prototype`. */
export function addedNames(): string[] {
  // Counting the names is not enough: a program may have deleted some, as Node does with `--disable-proto=delete`.
  return Object.getOwnPropertyNames(Object.prototype).filter((name) => !standardNames.has(name))
}

/** Creates objects that inherit nothing. Unlike `Object.create(null)`, they are as fast as literals. */
class Fields {}
Reflect.deleteProperty(Fields.prototype, 'constructor')
Object.setPrototypeOf(Fields.prototype, null)

/**
 * Copies an object's own fields. The copy inherits nothing, so it has none of the properties that other code adds to
 * `Object.prototype`.
 */
export function ownFields<T extends object>(fields: T): T {
  return Object.assign(new Fields(), fields)
}

/** Sets an own field. An assignment would fail if the object inherited a read-only field with this name. */
export function setField(object: object, name: string, value: unknown): void {
  const field = ownFields({ value, writable: true, enumerable: true, configurable: true })
  Reflect.defineProperty(object, name, field)
}

/** Whether `withoutAddedFields` is running. If it is, nested calls skip listing the names. */
let isClean = false

/**
 * Runs synchronous library or platform code without the fields added to `Object.prototype`, then restores them. The
 * outermost call passes the names of these fields to `run`. Nested calls pass an empty list.
 */
export function withoutAddedFields<T>(run: (added: readonly string[]) => T): T {
  if (isClean) return run([])
  const names = addedNames()
  const restore = names.length > 0 ? removeFields(names) : undefined
  isClean = true
  try {
    return run(names)
  } finally {
    isClean = false
    restore?.()
  }
}

/**
 * Removes fields from `Object.prototype`. Returns a function that adds them again, except those that the program has
 * set in the meantime.
 */
function removeFields(names: readonly string[]): () => void {
  const fields = names.map((name) => Object.getOwnPropertyDescriptor(Object.prototype, name) ?? {})
  for (const name of names) Reflect.deleteProperty(Object.prototype, name)
  return () => {
    fields.forEach((field, at) => {
      const name = names[at] ?? ''
      if (!Object.hasOwn(Object.prototype, name))
        Reflect.defineProperty(Object.prototype, name, ownFields(field))
    })
  }
}

/**
 * Removes added fields that are neither functions nor accessors, such as those that an attacker adds with JSON.
 * Functions stay, because programs that extend `Object.prototype` add functions. Returns a function that adds the
 * removed fields again, even those that the program deleted in the meantime.
 */
export function removeAddedData(): () => void {
  return removeFields(
    addedNames().filter((name) => {
      const field = Object(Object.getOwnPropertyDescriptor(Object.prototype, name))
      return Object.hasOwn(field, 'value') && typeof field.value !== 'function'
    }),
  )
}

type Replacer = (this: Record<string, unknown>, key: string, value: unknown) => unknown

/**
 * Serializes a value without calling a `toJSON` that other code added to `Object.prototype`. Returns undefined if
 * `JSON.stringify` does.
 */
export function toJson(value: object, replacer?: Replacer): string
export function toJson(value: unknown, replacer?: Replacer): string | undefined
export function toJson(value: unknown, replacer?: Replacer): string | undefined {
  return withoutAddedFields(() => JSON.stringify(value, replacer))
}

/**
 * Converts JSON to a JavaScript literal with the same value. In a literal, a plain `__proto__` key would set the
 * prototype of the object.
 */
export function toLiteral(json: string): string {
  return json.replaceAll(/(?<!\\)"__proto__":/g, '["__proto__"]:')
}

/** Escapes JSON's non-ASCII characters, because a database's encoding may lack them. */
export function toAscii(json: string): string {
  return json.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const maxPrototypes = 20

/**
 * Returns an untrusted object's own or inherited field. Ignores `Object.prototype`, because other code may have added
 * fields to it. Returns undefined if the field is missing or cannot be read.
 */
export function readField(object: unknown, name: PropertyKey): unknown {
  try {
    const target = Object(object)
    return hasField(target, name) ? target[name] : undefined
  } catch {
    // A getter or a proxy trap threw an error.
    return undefined
  }
}

/** Returns whether an object has an own or inherited field. Ignores `Object.prototype`. */
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
