import type { MarkdownRenderer } from 'vitepress'
import type { Token } from './token.ts'

/** Shows a link with the text `assumption` as a badge: `[assumption](../reference/assumptions.md#booking-keys)`. */
export function showBadges(md: MarkdownRenderer): void {
  md.core.ruler.push('badges', ({ tokens }) => {
    for (const { children } of tokens) if (children) markIn(children)
  })
}

function markIn(tokens: Token[]): void {
  for (const [place, token] of tokens.entries()) {
    const text = tokens[place + 1]
    if (token.type !== 'link_open' || text?.content !== 'assumption') continue
    token.attrJoin('class', 'assumption')
    token.attrSet('title', 'The specification does not define this. Read what we assume, and why.')
  }
}
