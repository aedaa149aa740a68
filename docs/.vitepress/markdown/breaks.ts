import type { MarkdownRenderer } from 'vitepress'

/** Reads `<br>`, the only HTML that pages may contain: table cells cannot have lines without it. */
export function readBreaks(md: MarkdownRenderer): void {
  md.inline.ruler.before('html_inline', 'breaks', (state, isSilent) => {
    if (!state.src.startsWith('<br>', state.pos)) return false
    if (!isSilent) state.push('hardbreak', 'br', 0)
    state.pos += '<br>'.length
    return true
  })
}
