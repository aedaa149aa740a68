import { posix } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { hiddenFiles } from '../navigation.ts'
import { fileUrl } from '../repository.ts'
import type { PageEnvironment, Token } from './token.ts'

/**
 * Resolves links to files that the site does not show. They lead to the repository, or become plain text if the
 * repository is unknown.
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

/** Whether a file exists only in the repository. */
const isHidden = (path: string) =>
  hiddenFiles.some((pattern) => posix.matchesGlob(path, `docs/${pattern}`))

/** Returns the target of a link on the site; undefined for a file in the repository without a known web page. */
function urlOf(href: string, { relativePath }: PageEnvironment): string | undefined {
  if (/^(?:\w+:|[#/])/.test(href)) return href
  const [link = '', anchor] = href.split('#')
  const page = `docs/${relativePath}`
  const path = posix.join(posix.dirname(page), link)
  const shown = pagesOfFiles[path] ?? path
  if (!shown.startsWith('docs/') || isHidden(shown)) return fileUrl(path)
  return `/${shown.slice('docs/'.length)}${anchor ? `#${anchor}` : ''}`
}

/** The pages that show files of the repository. */
const pagesOfFiles: Record<string, string> = {
  'CHANGELOG.md': 'docs/trust/migration.md',
}
