import { readFileSync } from 'node:fs'
import { type NavigationGroup, navigation } from '../../docs/.vitepress/navigation.ts'
import { summaryOf } from '../../docs/.vitepress/summary.ts'

/**
 * Returns the file `llms.txt` (llmstxt.org): an introduction, and every page with its first sentence, in the order of the
 * site. Appendices are optional.
 */
export function llms(): string {
  const introduction = readFileSync(new URL('llms.md', import.meta.url), 'utf8')
  const appendices = navigation.filter(({ isAppendix }) => isAppendix)
  const groups = navigation.filter(({ isAppendix }) => !isAppendix).map(groupText)
  const optional = ['## Optional', '', ...appendices.flatMap(linesOf), ''].join('\n')
  return [introduction, ...groups, optional].join('\n')
}

function groupText(group: NavigationGroup): string {
  return [`## ${group.title}`, '', ...linesOf(group), ''].join('\n')
}

function linesOf({ pages }: NavigationGroup): string[] {
  return pages.map(({ path }) => lineOf(`docs/${path}.md`))
}

/** Returns a link to a page with its title and first sentence. */
function lineOf(page: string): string {
  const { title, sentence } = summaryOf(page)
  return `- [${title}](${page}): ${sentence}`
}
