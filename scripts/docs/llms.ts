import { readFileSync } from 'node:fs'
import { type NavigationGroup, navigation, pageFiles } from '../../docs/.vitepress/navigation.ts'
import { summaryOf } from '../../docs/.vitepress/summary.ts'
import { methodLines } from './reference/operations.ts'

/**
 * Returns the file `llms.txt` (llmstxt.org): an introduction, the methods of the client, and every page with its first
 * sentence, in the order of the site.
 */
export function llms(): string {
  const introduction = readFileSync(new URL('llms.md', import.meta.url), 'utf8')
  return [
    introduction,
    section('Methods', methodLines()),
    ...navigation.map((group) => section(group.title, linesOf(group))),
  ].join('\n')
}

/** Returns the file `llms-full.txt` of the site: `llms.txt` and the text of all pages. */
export function llmsFull(): string {
  const texts = pageFiles()
    .slice(1)
    .map((file) => readFileSync(file, 'utf8').replace(/^---\n[\s\S]*?\n---\n+/, ''))
  return [llms(), ...texts].join('\n\n---\n\n')
}

function section(title: string, lines: string[]): string {
  return [`## ${title}`, '', ...lines, ''].join('\n')
}

function linesOf({ pages }: NavigationGroup): string[] {
  const written = pages.filter(({ path }) => !path.startsWith('reference/operations/'))
  return written.map(({ path }) => lineOf(`docs/${path}.md`))
}

/** Returns a link to a page with its title and first sentence. */
function lineOf(page: string): string {
  const { title, sentence } = summaryOf(page)
  return `- [${title}](${page}): ${sentence}`
}
