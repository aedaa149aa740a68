import type { MarkdownRenderer } from 'vitepress'

/** Parses `<br>`, the only HTML that pages may contain, because table cells cannot have line breaks without it. */
export function readBreaks(md: MarkdownRenderer): void {
  md.inline.ruler.before('html_inline', 'breaks', (state, isSilent) => {
    if (!state.src.startsWith('<br>', state.pos)) return false
    if (!isSilent) state.push('hardbreak', 'br', 0)
    state.pos += '<br>'.length
    return true
  })
}
