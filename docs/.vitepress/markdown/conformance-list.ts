import type { MarkdownRenderer } from 'vitepress'

/** Replaces a `conformance-list` block with the list of conformance cases. */
export function showConformanceList(md: MarkdownRenderer): void {
  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, place, options, env, self) => {
    const isList = tokens[place]?.info.trim() === 'conformance-list'
    if (!isList) return fence?.(tokens, place, options, env, self) ?? ''
    return '<ConformanceList />\n'
  }
}
