import { readFileSync } from 'node:fs'
import { type NavigationGroup, navigation, pageFiles } from '../../docs/.vitepress/navigation.ts'
import { summaryOf, textOf } from '../../docs/.vitepress/summary.ts'
import { methodLines } from './reference/operations.ts'

const appendices = navigation.filter(({ isAppendix }) => isAppendix)
const main = navigation.filter(({ isAppendix }) => !isAppendix)

/**
 * Returns the file `llms.txt` (llmstxt.org): an introduction, the methods of the client, and every page with its first
 * sentence, in the order of the site. Appendices are optional.
 */
export function llms(): string {
  const introduction = readFileSync(new URL('llms.md', import.meta.url), 'utf8')
  return [
    introduction,
    section('Methods', methodLines()),
    ...main.map((group) => section(group.title, linesOf(group))),
    section('Optional', appendices.flatMap(linesOf)),
  ].join('\n')
}

/** Returns the file `llms-full.txt` of the site: `llms.txt` and the text of all pages that are not in an appendix. */
export function llmsFull(): string {
  const paths = main.flatMap(({ pages }) => pages.map(({ path }) => `docs/${path}.md`))
  const pages = pageFiles().filter((file) => paths.includes(file))
  const texts = pages.map((file) => textOf(file).replace(/^---\n[\s\S]*?\n---\n+/, ''))
  return [llms(), ...texts].join('\n\n---\n\n')
}

function section(title: string, lines: string[]): string {
  return [`## ${title}`, '', ...lines, ''].join('\n')
}

function linesOf({ pages }: NavigationGroup): string[] {
  return pages.map(({ path }) => lineOf(`docs/${path}.md`))
}

/** Returns a link to a page with its title and first sentence. */
function lineOf(page: string): string {
  const { title, sentence } = summaryOf(page)
  return `- [${title}](${page}): ${sentence}`
}
