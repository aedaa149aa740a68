/**
 * Shortens a page that TypeDoc wrote. Turns lists of types into sentences. Removes the type below an accessor's
 * signature, the modifier column, and type parameters and nested properties without a description.
 */
export function shorten(page: string): string {
  return page
    .replaceAll(/^#+ (Extends|Extended by)\n\n((?:- .*\n)+)/gm, (_, verb: string, list: string) => {
      const types = list.trim().replace(/^- /, '').replaceAll('\n- ', ', ')
      return `${verb} ${types}.\n`
    })
    .replaceAll(accessor, '$1')
    .replaceAll(plainTypeParameters, '')
    .replaceAll(modifierTable, (table) =>
      table.replaceAll(/^(\| [^|]+ \|) ([^|]+) \|/gm, joinModifier),
    )
    .replaceAll(/^\| `\w+\??\.[^|]+ \|.* \| - \|\n/gm, '')
}

/** Moves `static` in front of a property's name. Drops other modifiers, which most properties have. */
function joinModifier(_: string, property: string, modifier: string): string {
  return modifier.includes('static') ? property.replace('| ', '| `static` ') : property
}

/** Type parameters without a description. The signature shows their names and constraints. */
const plainTypeParameters =
  /^#+ Type Parameters\n\n\| Type Parameter \|\n\| -+ \|\n(?:\|.*\n)+\n?/gm

const modifierTable = /^\| Property \| Modifier \|.*\n(?:\|.*\n?)+/gm

/** The heading, the signature and the comment of an accessor, and its type if the type is not a link. */
const accessor =
  /^#+ Get Signature\n\n(```ts\n[^`]*```\n(?:(?!#).*\n)*)(?:#+ Returns\n\n`[^`\n]*`\n)?/gm
