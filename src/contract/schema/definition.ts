import type * as z from 'zod/mini'

/** The parts of a zod definition that lead from a schema to the schemas inside it. */
export interface Definition {
  /** zod's name of the type, such as `object` or `nullable`. */
  type: string
  /** The fields of an object. */
  shape?: Record<string, z.ZodMiniType>
  /** The items of an array. */
  element?: z.ZodMiniType
  /** The values of a record. */
  valueType?: z.ZodMiniType
  /** The schema inside an optional or nullable one. */
  innerType?: z.ZodMiniType
  /** The members of a union. */
  options?: z.ZodMiniType[]
}

/** Formats a path: the names that the schema has and the positions of its lists; `*` for every other key. */
export function pathOf(schema: z.ZodMiniType, path: PropertyKey[], root = ''): string {
  let formatted = root
  for (const key of knownPath(schema, path)) {
    formatted += typeof key === 'number' ? `[${key}]` : `${formatted && '.'}${key}`
  }
  return formatted || 'value'
}

/** Replaces the keys of a path that the schema does not have by `*`, because they may be data. */
export function knownPath(schema: z.ZodMiniType, path: PropertyKey[]): (string | number)[] {
  let current: z.ZodMiniType | undefined = schema
  return path.map((key) => {
    const def = definitionAt(current, key)
    if (typeof key === 'number' && def?.element) {
      current = def.element
      return key
    }
    const isKnown = def?.shape !== undefined && Object.hasOwn(def.shape, key)
    current = isKnown ? def.shape?.[String(key)] : def?.valueType
    return isKnown ? String(key) : '*'
  })
}

/** Returns the field names of the object at a path. */
export function namesAt(schema: z.ZodMiniType, path: PropertyKey[]): string[] {
  const object = path.reduce<z.ZodMiniType | undefined>((current, key) => {
    const def = definitionAt(current, key)
    return def?.shape?.[String(key)] ?? def?.element ?? def?.valueType
  }, schema)
  return Object.keys((unwrap(object)?._zod.def as Definition | undefined)?.shape ?? {})
}

/** Returns the definition that has a key; for a union, that of the member with the key, or else that of the first member. */
function definitionAt(schema: z.ZodMiniType | undefined, key: PropertyKey): Definition | undefined {
  const def = unwrap(schema)?._zod.def as Definition | undefined
  if (!def?.options) return def
  const members = def.options.map((option) => definitionAt(option, key))
  return members.find((member) => member?.shape && Object.hasOwn(member.shape, key)) ?? members[0]
}

/** Returns the schema inside optional and nullable. */
export function unwrap(schema: z.ZodMiniType | undefined): z.ZodMiniType | undefined {
  let current = schema
  while (current) {
    const { innerType } = current._zod.def as Definition
    if (!innerType) return current
    current = innerType
  }
  return undefined
}
