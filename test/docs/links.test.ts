import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { rowAnchor } from '../../docs/.vitepress/markdown/slugify.ts'
import { pageFiles } from '../../docs/.vitepress/navigation.ts'

const pages = [...globSync('*.md'), ...pageFiles(), ...globSync('docs/contributing/**/*.md')]

/** Returns a page without its code blocks, which contain no links or headings. */
function proseOf(page: string): string {
  return readFileSync(page, 'utf8').replaceAll(/^```.*?^```$/gms, '')
}

/** Returns the links of a page to files and headings in this repository. */
function linksOf(page: string): string[] {
  const prose = proseOf(page).replaceAll(/`[^`\n]*`/g, 'code')
  const links = [...prose.matchAll(/\]\(<?([^)>\s]+)>?\)/g)].map(([, link = '']) => link)
  // Pictures are taken before the site is built.
  return links.filter((link) => !/^\w+:|^\/pictures\//.test(link))
}

/** Returns the anchors of all headings of a page, as git hosts generate them. */
function anchorsOf(page: string): Set<string> {
  const seen = new Map<string, number>()
  const headings = [...proseOf(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, text = '']) => text)
  return new Set([...headings.map((heading) => anchorOf(heading, seen)), ...rowsOf(page)])
}

/** Returns the anchors of the rows of the assumptions, which the site adds. */
function rowsOf(page: string): string[] {
  if (page !== 'docs/reference/assumptions.md') return []
  return [...proseOf(page).matchAll(/^\| (.*?) \|/gm)].map(([, cell = '']) => rowAnchor(cell))
}

/** Removes markup and punctuation from a heading, and numbers duplicates. */
function anchorOf(heading: string, seen: Map<string, number>): string {
  const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  const anchor = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
  const uses = seen.get(anchor) ?? 0
  seen.set(anchor, uses + 1)
  return uses === 0 ? anchor : `${anchor}-${uses}`
}

/** Returns why a link is broken, or undefined if it works. */
function problemOf(page: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#')
  const file = path === '' ? page : join(dirname(page), decodeURI(path))
  // Generated with the site, whose check follows these links.
  if (file.startsWith('docs/reference/api/')) return undefined
  if (!existsSync(file)) return `${link}: ${file} does not exist`
  if (anchor === undefined || !file.endsWith('.md')) return undefined
  return anchorsOf(file).has(anchor) ? undefined : `${link}: ${file} has no such heading`
}

it('finds pages, links and anchors', () => {
  expect(pages.length).toBeGreaterThan(20)
  expect(linksOf('README.md').length).toBeGreaterThan(10)
  expect(anchorsOf('CHANGELOG.md')).toContain('010---2026-11-21')
})

it.each(pages)('has no broken link in %s', (page) => {
  expect(
    linksOf(page)
      .map((link) => problemOf(page, link))
      .filter(Boolean),
  ).toEqual([])
})

it.each(pages.filter((page) => page !== 'CHANGELOG.md'))(
  'names only existing files in %s',
  (page) => {
    const named = readFileSync(page, 'utf8').matchAll(
      /`((?:src|mock|test|examples)\/[\w/.-]+\.\w+)`/g,
    )
    const files = [...named].map(([, file = '']) => file)
    expect(files.filter((file) => !existsSync(file))).toEqual([])
  },
)

it.each(pages)('names only existing commands in %s', (page) => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const laboratory = [...readFileSync('scripts/lab.ts', 'utf8').matchAll(/^ {2}'?([\w-]+)'?: \{/gm)]
  const existing = [...Object.keys(scripts), ...laboratory.map(([, name]) => `lab ${name}`)]
  const named = readFileSync(page, 'utf8').matchAll(/npm run (?!-)(lab [\w-]+|[\w:]+)/g)
  const commands = [...named].map(([, command = '']) => command)
  expect(commands.filter((command) => !existing.includes(command))).toEqual([])
})
