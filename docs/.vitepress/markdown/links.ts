import { posix } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { fileUrl } from '../repository.ts'
import type { PageEnvironment, Token } from './token.ts'

/**
 * Resolves links to files outside `docs`: they lead to the repository if it is known, or else become plain text. A page
 * with `source` in its frontmatter shows that file, so its links are relative to the file.
 */
export function resolveLinks(md: MarkdownRenderer): void {
  md.core.ruler.push('repository_links', ({ tokens, env }) => {
    for (const { children } of tokens) if (children) resolveIn(children, env)
  })
}

function resolveIn(tokens: Token[], env: PageEnvironment): void {
  let isPlain = false
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const url = urlOf(token.attrGet('href') ?? '', env)
      isPlain = url === undefined
      token.attrSet('href', url ?? '')
    }
    if (isPlain && token.type.startsWith('link_')) {
      token.type = 'text'
      token.content = ''
    }
  }
}

/** Returns the target of a link on the site; undefined if it is a file of the repository without a known web page. */
function urlOf(href: string, { relativePath, frontmatter }: PageEnvironment): string | undefined {
  if (/^(?:\w+:|[#/])/.test(href)) return href
  const [link = '', anchor] = href.split('#')
  const source = frontmatter?.['source']
  const page = typeof source === 'string' ? source : `docs/${relativePath}`
  const path = posix.join(posix.dirname(page), link)
  const shown = pagesOfFiles[path] ?? path
  if (!shown.startsWith('docs/')) return fileUrl(path)
  return `/${shown.slice('docs/'.length)}${anchor ? `#${anchor}` : ''}`
}

/** The pages that show files of the repository. */
const pagesOfFiles: Record<string, string> = {
  'CHANGELOG.md': 'docs/trust/changelog.md',
  'CONTRIBUTING.md': 'docs/contributing/index.md',
}
