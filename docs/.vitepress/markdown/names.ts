import type { MarkdownRenderer } from 'vitepress'

/** Lets long names in table cells and titles wrap between their words, such as before `Error` in `AuthenticationError`. */
export function wrapNames(md: MarkdownRenderer): void {
  md.core.ruler.push('cell_names', ({ tokens }) => {
    let isCell = false
    for (const token of tokens) {
      if (token.type === 'td_open') isCell = token.attrGet('data-short') === null
      if (token.type === 'td_close' || token.type === 'heading_close') isCell = false
      if (token.type === 'heading_open') isCell = token.tag === 'h1'
      for (const child of isCell ? (token.children ?? []) : []) child.meta = { isCell }
    }
  })
  for (const type of ['code_inline', 'text']) {
    const rule = md.renderer.rules[type]
    md.renderer.rules[type] = (tokens, place, options, env, self) => {
      const html = rule?.(tokens, place, options, env, self) ?? ''
      if (!tokens[place]?.meta?.isCell || env.isIndexed) return html
      return html.replace(/(?<=>|^)[^<>]+/g, addBreaks)
    }
  }
}

/** Allows line breaks between the words of long names. Expects and returns HTML. */
export function addBreaks(html: string): string {
  return html.replace(/\S{15,}/g, (name) =>
    name.replace(
      /(?<=[a-z0-9])(?=[A-Z])|(?<=[\w}\])][._/])(?=[a-zA-Z{])|(?<=\(|&lt;)(?=\w)/g,
      '<wbr>',
    ),
  )
}
