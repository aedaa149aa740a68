/** Methods that indicate an external resource, such as a connection, whose state is not only in memory. */
const resourceMethods = ['on', 'end', 'close', 'destroy', 'disconnect', 'then']

export function isResource(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    isInstance(value) &&
    resourceMethods.some((name) => typeof readOf(value, name) === 'function')
  )
}

/** Returns whether an object is an instance of a class that is not part of the platform. */
export function isInstance(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  const isPlain = prototype === null || prototype === Object.prototype
  return !isPlain && Object.prototype.toString.call(value) === '[object Object]'
}

/**
 * Captures the contents of a context's objects: fields, and the items of arrays, maps and sets. The returned function
 * restores them in the same objects. Private fields and external resources are not captured.
 *
 * @param ignored Objects that are not part of the state, such as the team.
 */
export function captureState(context: object, ignored: readonly unknown[]): () => void {
  const restores: (() => void)[] = []
  for (const value of reachableFrom(context, ignored)) restores.push(captureObject(value))
  return () => {
    for (const restore of restores) restore()
  }
}

/** Yields each reachable object once. */
export function* reachableFrom(root: object, ignored: readonly unknown[]): Generator<object> {
  const seen = new Set<unknown>(ignored)
  const open: unknown[] = [root]
  for (let value = open.pop(); value !== undefined || open.length > 0; value = open.pop()) {
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    if (!isState(value)) continue
    yield value
    open.push(...contentOf(value))
  }
}

function isState(value: object): boolean {
  const isCollection = Array.isArray(value) || value instanceof Map || value instanceof Set
  const isOther = Object.prototype.toString.call(value) === '[object Object]'
  return isCollection || (isOther && !isResource(value))
}

export function contentOf(value: object): unknown[] {
  const fields = fieldsOf(value).map(([, inner]) => inner)
  if (value instanceof Map) return [...fields, ...value.keys(), ...value.values()]
  return value instanceof Set ? [...fields, ...value] : fields
}

/** Returns an object's fields, except accessors, because reading them may run code. */
function fieldsOf(value: object): [string, unknown][] {
  return Object.entries(Object.getOwnPropertyDescriptors(value)).flatMap(
    ([name, { value: inner, get }]): [string, unknown][] => (get ? [] : [[name, inner]]),
  )
}

function captureObject(value: object): () => void {
  if (value instanceof Map) {
    const entries = [...value]
    return () => {
      value.clear()
      for (const [key, inner] of entries) value.set(key, inner)
    }
  }
  if (value instanceof Set) {
    const items = [...value]
    return () => {
      value.clear()
      for (const item of items) value.add(item)
    }
  }
  const fields = new Map(fieldsOf(value))
  return () => {
    for (const [name] of fieldsOf(value)) {
      if (!fields.has(name)) Reflect.deleteProperty(value, name)
    }
    for (const [name, inner] of fields) Reflect.set(value, name, inner)
  }
}

function readOf(value: object, name: string): unknown {
  try {
    return Reflect.get(value, name)
  } catch {
    return undefined
  }
}
