/** Removes what TypeDoc repeats: headings above a list of types, and the type of an accessor below its signature. */
export function shorten(page: string): string {
  return page
    .replaceAll(/^#+ (Extends|Extended by)\n\n((?:- .*\n)+)/gm, (_, verb: string, list: string) => {
      const types = list.trim().replace(/^- /, '').replaceAll('\n- ', ', ')
      return `${verb} ${types}.\n`
    })
    .replaceAll(accessor, '$1')
}

/** The heading, the signature and the comment of an accessor, and its type if the type is not a link. */
const accessor =
  /^#+ Get Signature\n\n(```ts\n[^`]*```\n(?:(?!#).*\n)*)(?:#+ Returns\n\n`[^`\n]*`\n)?/gm
