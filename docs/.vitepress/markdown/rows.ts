import type { MarkdownRenderer } from 'vitepress'
import { serviceErrorCodes } from '../../../src/client/errors/error-codes.ts'
import { errorAnchor, isErrorSection } from '../../../src/shared/error-links.ts'
import { rowAnchor, slugify } from './slugify.ts'
import type { PageEnvironment, Token } from './token.ts'

/** The pages whose table rows have anchors, derived from the first cell and the heading above the table. */
const pages: Record<string, (cell: string, heading: string) => string | undefined> = {
  'reference/assumptions.md': rowAnchor,
  'reference/errors.md': codeAnchor,
}

/** Adds an anchor to each table row, so that badges and error messages can link to the row. */
export function anchorRows(md: MarkdownRenderer): void {
  md.core.ruler.push('row_anchors', ({ tokens, env }) => {
    const anchorOf = pages[(env as PageEnvironment).relativePath]
    if (anchorOf) anchorIn(tokens, anchorOf)
  })
}

function anchorIn(tokens: Token[], anchorOf: (typeof pages)[string]): void {
  let heading = ''
  for (const [place, token] of tokens.entries()) {
    const [, cell, text] = tokens.slice(place, place + 3)
    if (token.type === 'heading_open') heading = tokens[place + 1]?.content ?? ''
    if (token.type !== 'tr_open' || cell?.type !== 'td_open') continue
    const anchor = anchorOf(text?.content ?? '', heading)
    if (anchor) token.attrSet('id', anchor)
  }
}

/** Returns the anchor of a row with an error code, such as `rate_limited` or `events-claim_lost`. */
export function codeAnchor(cell: string, heading: string): string | undefined {
  const [, code] = /^`([a-z_]+)`/.exec(cell) ?? []
  if (code === undefined) return undefined
  if (serviceErrorCodes.some((one) => one === code)) return errorAnchor(code)
  const section = slugify(heading)
  return isErrorSection(section) ? errorAnchor(code, section) : undefined
}
