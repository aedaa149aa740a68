import type { MarkdownRenderer } from 'vitepress'

/** The length from which a name may wrap, where other text in the table leaves enough space. */
const longest = { firstCell: 18, cell: 28 }

/** Lets long names in table cells and titles wrap between their words, such as before `Error` in `AuthenticationError`. */
export function wrapNames(md: MarkdownRenderer): void {
  md.core.ruler.push('cell_names', ({ tokens }) => {
    let minimum: number | undefined
    let columns = 0
    let column = 0
    for (const token of tokens) {
      if (token.type === 'table_open') columns = 0
      if (token.type === 'th_open') columns += 1
      if (token.type === 'tr_open') column = 0
      if (token.type === 'td_open') {
        minimum = token.attrGet('data-short') === null ? minimumOf(column, columns) : undefined
        column += 1
      }
      if (token.type === 'td_close' || token.type === 'heading_close') minimum = undefined
      if (token.type === 'heading_open' && token.tag === 'h1') minimum = shortest
      for (const child of token.children ?? []) child.meta = { ...child.meta, minimum }
    }
  })
  for (const type of ['code_inline', 'text']) {
    const rule = md.renderer.rules[type]
    md.renderer.rules[type] = (tokens, place, options, env, self) => {
      const html = rule?.(tokens, place, options, env, self) ?? ''
      const minimum: number | undefined = tokens[place]?.meta?.minimum
      if (minimum === undefined || env.isIndexed) return html
      return html.replace(/(?<=>|^)[^<>]+/g, (text) => addBreaks(text, minimum))
    }
  }
}

/** Columns of tables with four columns or more are narrow. */
function minimumOf(column: number, columns: number): number {
  if (columns > 3) return shortest
  return column === 0 ? longest.firstCell : longest.cell
}

const shortest = 15

/** Allows line breaks between the words of names with at least `minimum` characters. Expects and returns HTML. */
export function addBreaks(html: string, minimum = shortest): string {
  return html.replace(/\S+/g, (name) =>
    name.length < minimum
      ? name
      : name.replace(
          /(?<=[a-z0-9])(?=[A-Z])|(?<=[\w}\])][._/])(?=[a-zA-Z{])|(?<=\(|&lt;)(?=\w)/g,
          '<wbr>',
        ),
  )
}
