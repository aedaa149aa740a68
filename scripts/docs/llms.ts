import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type NavigationGroup,
  type NavigationPage,
  navigation,
  pageFiles,
} from '../../docs/.vitepress/navigation.ts'
import { summaryOf } from '../../docs/.vitepress/summary.ts'
import { methodLines } from './reference/operations.ts'

/**
 * The pages that an agent needs for a first integration, in addition to the task pages. The package contains all of
 * them.
 */
const essentialGuides = ['unknown-outcomes', 'webhooks', 'durable-writes']

/** Together with `llms.txt`, the essential pages have at most 60 KB. */
export function isEssential(page: string): boolean {
  return (
    page.startsWith('docs/tasks/') ||
    essentialGuides.some((guide) => page === `docs/guides/${guide}.md`)
  )
}

/**
 * Returns the file `llms.txt` (llmstxt.org): an introduction, the methods of the client, and every page with its first
 * sentence, in the order of the site. Agents with a small context skip the section `Optional`.
 */
export function llms(): string {
  const introduction = readFileSync(new URL('llms.md', import.meta.url), 'utf8')
  const pages = navigation.flatMap(pagesOf)
  const lines = (isListed: (file: string) => boolean) =>
    pages.filter(({ path }) => isListed(fileOf(path))).map(lineOf)
  return [
    introduction,
    section('Methods, read-only unless noted', methodLines()),
    section('Essential pages', lines(isEssential)),
    section(
      'Optional',
      lines((file) => !isEssential(file)),
    ),
  ].join('\n')
}

/** The maximum size of a part of the full text, in bytes. */
const partSize = 100_000

/**
 * Returns the full text of the pages in reading order, in files such as `llms-full-1.txt`. `llms-full.txt` contains
 * `llms.txt` and a list of these files.
 */
export function llmsFull(): Record<string, string> {
  const parts = ['']
  for (const file of pageFiles().slice(1)) {
    const text = pageText(file)
    if (Buffer.byteLength(parts.at(-1) + text) > partSize) parts.push('')
    parts.push(`${parts.pop()}${text}\n\n---\n\n`)
  }
  const files = parts.map((text, place): [string, string] => [`llms-full-${place + 1}.txt`, text])
  const lines = files.map(([name]) => `- [${name}](docs/${name})`)
  return {
    'llms-full.txt': [llms(), section('The full text of all pages', lines)].join('\n'),
    ...Object.fromEntries(files),
  }
}

/** Returns a page without its frontmatter, which is only for the site, and with the text of the files that it includes. */
export function pageText(file: string): string {
  const text = readFileSync(file, 'utf8').replace(/^---\n[\s\S]*?\n---\n+/, '')
  return text.replace(/<!--@include: (\S+)\{(\d+),\}-->/g, (_, path: string, first: string) =>
    readFileSync(join(dirname(file), path), 'utf8')
      .split('\n')
      .slice(Number(first) - 1)
      .join('\n'),
  )
}

function section(title: string, lines: string[]): string {
  return [`## ${title}`, '', ...lines, ''].join('\n')
}

function pagesOf({ pages }: NavigationGroup): NavigationPage[] {
  return pages.filter(({ path }) => !path.startsWith('reference/operations/'))
}

function fileOf(path: string): string {
  return `docs/${path}.md`
}

/** Omits the list at the end of a long sentence. */
function lineOf({ path, title }: NavigationPage): string {
  const { sentence } = summaryOf(fileOf(path))
  const short = sentence.length > 200 ? sentence.replace(/:.*/, '.') : sentence
  return `- [${title}](${fileOf(path)}): ${short}`
}
