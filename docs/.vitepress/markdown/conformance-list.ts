import type { MarkdownRenderer } from 'vitepress'

/** Shows the list of the conformance cases in place of a `conformance-list` block. */
export function showConformanceList(md: MarkdownRenderer): void {
  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, place, options, env, self) => {
    const isList = tokens[place]?.info.trim() === 'conformance-list'
    if (!isList) return fence?.(tokens, place, options, env, self) ?? ''
    return '<ConformanceList />\n'
  }
}
