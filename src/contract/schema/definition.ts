import type * as z from 'zod/mini'

/** Writes a path with the names the schema knows and the positions of its lists; every other key may be data and shows as `*`. */
export function pathOf(schema: z.ZodMiniType, path: PropertyKey[], root = ''): string {
  let at: z.ZodMiniType | undefined = schema
  let written = root
  for (const key of path) {
    const def = definitionAt(at, key)
    if (typeof key === 'number' && def?.element) {
      written += `[${key}]`
      at = def.element
    } else {
      const known = def?.shape !== undefined && Object.hasOwn(def.shape, key)
      written += `${written && '.'}${known ? String(key) : '*'}`
      at = known ? def.shape?.[String(key)] : def?.valueType
    }
  }
  return written || 'value'
}

/** The definition inside a schema; of a union, that of the member which names the key, else of the first one. */
function definitionAt(schema: z.ZodMiniType | undefined, key: PropertyKey): Definition | undefined {
  const def = unwrap(schema)?._zod.def as Definition | undefined
  if (!def?.options) return def
  const members = def.options.map((option) => definitionAt(option, key))
  return members.find((member) => member?.shape && Object.hasOwn(member.shape, key)) ?? members[0]
}

/** The parts of a zod definition that lead from a schema to the schemas inside it. */
export interface Definition {
  type: string
  shape?: Record<string, z.ZodMiniType>
  element?: z.ZodMiniType
  valueType?: z.ZodMiniType
  innerType?: z.ZodMiniType
  options?: z.ZodMiniType[]
}

/** The schema inside optional and nullable. */
export function unwrap(schema: z.ZodMiniType | undefined): z.ZodMiniType | undefined {
  let at = schema
  while (at) {
    const { innerType } = at._zod.def as Definition
    if (!innerType) return at
    at = innerType
  }
  return undefined
}
