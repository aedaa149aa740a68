import type { MarkdownRenderer } from 'vitepress'

/** Leaves out the colours of code while the index of the search is built. */
export function indexCode(md: MarkdownRenderer): void {
  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, place, options, env, self) => {
    const code = tokens[place]?.content ?? ''
    if (env.isIndexed) return `<pre>${md.utils.escapeHtml(code)}</pre>\n`
    return fence?.(tokens, place, options, env, self) ?? ''
  }
}
