/** Returns the anchor of a heading as git hosts generate it, so that links work in the repository and on the site. */
export function slugify(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
}

/** Returns the anchor of a table row from its first cell, without the sections in parentheses. */
export function rowAnchor(cell: string): string {
  return slugify(cell.replace(/ \((?:\d|parts? )[^)]*\)/, ''))
}
