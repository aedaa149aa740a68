import type { MarkdownRenderer } from 'vitepress'

/** Shows the included versions of `CHANGELOG.md` as subsections of the section "Changelog": `[0.2.0]` as `0.2.0`. */
export function nestChangelog(md: MarkdownRenderer): void {
  md.core.ruler.push('changelog', ({ tokens }) => {
    let isInside = false
    for (const [place, token] of tokens.entries()) {
      if (token.type !== 'heading_open') continue
      const title = tokens[place + 1]
      const close = tokens[place + 2]
      if (isInside && title?.children && close) {
        for (const heading of [token, close]) {
          heading.tag = heading.tag.replace(/\d/, (level) => `${Number(level) + 1}`)
        }
        for (const part of title.children) part.content = part.content.replace(/^\[(.+?)\]/, '$1')
        title.content = title.content.replace(/^\[(.+?)\]/, '$1')
      }
      if (title?.content === 'Changelog' && token.tag === 'h2') isInside = true
    }
  })
}
