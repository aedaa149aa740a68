import type { MarkdownRenderer } from 'vitepress'
import type { Token } from './token.ts'

/** Adds the column title to each cell, because tables become lists on a phone. Marks cells that must not wrap. */
export function labelCells(md: MarkdownRenderer): void {
  md.core.ruler.push('cell_labels', ({ tokens }) => {
    let titles: string[] = []
    let column = 0
    for (const [place, token] of tokens.entries()) {
      if (token.type === 'table_open') titles = []
      if (token.type === 'tr_open') column = 0
      if (token.type === 'th_open') titles.push(tokens[place + 1]?.content ?? '')
      if (token.type !== 'td_open') continue
      token.attrSet('data-label', (titles[column] ?? '').replaceAll('`', ''))
      if (linesOf(tokens[place + 1]).every(isShort)) token.attrSet('data-short', '')
      column += 1
    }
  })
}

/** Returns the lines of a cell without markup. */
function linesOf(cell: Token | undefined): string[] {
  const parts = cell?.children ?? []
  const text = parts.map(({ type, content }) => (type === 'hardbreak' ? '\n' : content)).join('')
  return text.split('\n')
}

/** Returns whether a line is a number, a few words or a name that should not wrap. */
function isShort(line: string): boolean {
  return line.length <= (line.includes(' ') ? 14 : 20)
}
