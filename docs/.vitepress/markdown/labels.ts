import type { MarkdownRenderer } from 'vitepress'

/** Adds the column title to each cell, because tables become lists on a phone. */
export function labelCells(md: MarkdownRenderer): void {
  md.core.ruler.push('cell_labels', ({ tokens }) => {
    let titles: string[] = []
    let column = 0
    for (const [place, { type }] of tokens.entries()) {
      if (type === 'table_open') titles = []
      if (type === 'tr_open') column = 0
      if (type === 'th_open') titles.push(tokens[place + 1]?.content ?? '')
      if (type !== 'td_open') continue
      tokens[place]?.attrSet('data-label', (titles[column] ?? '').replaceAll('`', ''))
      column += 1
    }
  })
}
