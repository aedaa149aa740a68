import type { MarkdownRenderer } from 'vitepress'
import { rowAnchor } from './slugify.ts'
import type { PageEnvironment, Token } from './token.ts'

/** The pages whose table rows have anchors: the first cell without its sections, such as `#booking-keys`. */
const pages = ['reference/assumptions.md']

/** Gives each row of a table an anchor, so that badges can link to it. */
export function anchorRows(md: MarkdownRenderer): void {
  md.core.ruler.push('row_anchors', ({ tokens, env }) => {
    if (pages.includes((env as PageEnvironment).relativePath)) anchorIn(tokens)
  })
}

function anchorIn(tokens: Token[]): void {
  for (const [place, token] of tokens.entries()) {
    const [, cell, text] = tokens.slice(place, place + 3)
    if (token.type !== 'tr_open' || cell?.type !== 'td_open') continue
    token.attrSet('id', rowAnchor(text?.content ?? ''))
  }
}
