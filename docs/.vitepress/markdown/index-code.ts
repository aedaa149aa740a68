import type { MarkdownRenderer } from 'vitepress'

/** Omits the colours of code while the search index is built. */
export function indexCode(md: MarkdownRenderer): void {
  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, place, options, env, self) => {
    const code = tokens[place]?.content ?? ''
    if (env.isIndexed) return `<pre>${md.utils.escapeHtml(code)}</pre>\n`
    return fence?.(tokens, place, options, env, self) ?? ''
  }
}
