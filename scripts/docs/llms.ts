import { globSync, readFileSync } from 'node:fs'
import { placeOf } from '../../docs/theme/order.ts'

/** Pages for who looks closer, after all the others. */
const optional = ['docs/conformance.md', 'docs/specification.md']

/**
 * The file `llms.txt` (llmstxt.org): what the package is, and every page with its first sentence, for programs that read
 * the documentation. Its beginning is by hand; the pages are in the order of the reference site.
 */
export function llms(): string {
  const introduction = readFileSync(new URL('llms.md', import.meta.url), 'utf8')
  const pages = globSync('docs/**/*.md')
    .toSorted()
    .toSorted((one, other) => placeOf(nameOf(one)) - placeOf(nameOf(other)))
  const isOptional = (page: string) => optional.includes(page) || page.startsWith('docs/decisions/')
  return [
    introduction,
    list(
      'Guides',
      pages.filter((page) => !isOptional(page)),
    ),
    list('Optional', pages.filter(isOptional)),
  ].join('\n')
}

function nameOf(page: string): string {
  return page.replace(/^docs\//, '').replace(/\.md$/, '')
}

function list(title: string, pages: string[]): string {
  return [`## ${title}`, '', ...pages.map(lineOf), ''].join('\n')
}

/** A page's title, and the first sentence below it as plain text. */
function lineOf(page: string): string {
  const text = readFileSync(page, 'utf8')
  const [, title = '', paragraph = ''] = /^# (.*)\n+((?:(?![#|]|```).+\n)*)/.exec(text) ?? []
  const plain = paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('\n', ' ')
  const [sentence] = /^.*?\.(?= [A-Z`]|$)/.exec(plain.trim()) ?? []
  if (!sentence) throw new Error(`${page} says nothing below its title.`)
  return `- [${title}](${page}): ${sentence}`
}
