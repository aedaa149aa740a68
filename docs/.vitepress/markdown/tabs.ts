import type { MarkdownRenderer } from 'vitepress'
import type { Token } from './token.ts'

/** Shows the sections between `::: tabs` and `:::` as tabs. Each heading at the level of the first heading starts a tab. */
export function showTabs(md: MarkdownRenderer): void {
  md.core.ruler.push('tabs', (state) => {
    const html = (content: string) =>
      Object.assign(new state.Token('html_block', '', 0), { content })
    state.tokens = groupTabs(state.tokens, html)
  })
}

function groupTabs(tokens: Token[], html: (content: string) => Token): Token[] {
  const start = tokens.findIndex((_, place) => isLine(tokens, place, '::: tabs'))
  if (start < 0) return tokens
  const end = tokens.findIndex((_, place) => place > start && isLine(tokens, place, ':::'))
  if (end < 0) throw new Error('A page begins tabs but does not end them with ":::".')
  return [
    ...tokens.slice(0, start),
    ...renderTabs(tokens.slice(start + lineLength, end), html),
    ...groupTabs(tokens.slice(end + lineLength), html),
  ]
}

/** A separate line is a paragraph of three tokens: start, text and end. */
const lineLength = 3

function isLine(tokens: Token[], place: number, text: string): boolean {
  return tokens[place]?.type === 'paragraph_open' && tokens[place + 1]?.content === text
}

function renderTabs(tokens: Token[], html: (content: string) => Token): Token[] {
  const tag = tokens[0]?.tag
  const isStart = ({ type, tag: own }: Token) => type === 'heading_open' && own === tag
  const titles = tokens.flatMap((token, place) =>
    isStart(token) ? [tokens[place + 1]?.content] : [],
  )
  let count = 0
  const panels = tokens.flatMap((token) => {
    if (!isStart(token)) return [token]
    token.attrJoin('class', 'tab-heading')
    const open = html('<section class="tab-panel" role="tabpanel">\n')
    count += 1
    return count === 1 ? [open, token] : [html('</section>\n'), open, token]
  })
  const buttons = titles.map((title) => `<button type="button" role="tab">${title}</button>`)
  const list = `<div class="tabs">\n<div class="tab-list" role="tablist">${buttons.join('')}</div>\n`
  return [html(list), ...panels, html('</section>\n</div>\n')]
}
