import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const pages = [...globSync('*.md'), ...globSync('docs/**/*.md')]

/** A page without its blocks of code and its code in lines, where nothing is a link or a heading. */
function proseOf(page: string): string {
  return readFileSync(page, 'utf8').replaceAll(/^```.*?^```$/gms, '')
}

/** The links of a page to files and places of this repository. */
function linksOf(page: string): string[] {
  const prose = proseOf(page).replaceAll(/`[^`\n]*`/g, 'code')
  const links = [...prose.matchAll(/\]\(<?([^)>\s]+)>?\)/g)].map(([, link = '']) => link)
  return links.filter((link) => !/^\w+:/.test(link))
}

/** The anchors of a page's headings, as git hosts make them. */
function anchorsOf(page: string): Set<string> {
  const seen = new Map<string, number>()
  const headings = [...proseOf(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, text = '']) => text)
  return new Set(headings.map((heading) => anchorOf(heading, seen)))
}

/** Links, emphasis and code lose their marks, everything else its punctuation; a second use is numbered. */
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

/** Why a link leads nowhere; undefined when it leads somewhere. */
function deadness(page: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#')
  const file = path === '' ? page : join(dirname(page), decodeURI(path))
  if (!existsSync(file)) return `${link}: there is no ${file}`
  if (anchor === undefined || !file.endsWith('.md')) return undefined
  return anchorsOf(file).has(anchor) ? undefined : `${link}: ${file} has no such heading`
}

it('finds the links it speaks of', () => {
  expect(pages.length).toBeGreaterThan(20)
  expect(linksOf('README.md').length).toBeGreaterThan(10)
  expect(anchorsOf('CHANGELOG.md')).toContain('010---2026-11-21')
})

it.each(pages)('has no dead link in %s', (page) => {
  expect(
    linksOf(page)
      .map((link) => deadness(page, link))
      .filter(Boolean),
  ).toEqual([])
})

it.each(pages.filter((page) => page !== 'CHANGELOG.md'))(
  'names only files that there are in %s',
  (page) => {
    const named = readFileSync(page, 'utf8').matchAll(
      /`((?:src|mock|test|examples)\/[\w/.-]+\.\w+)`/g,
    )
    const files = [...named].map(([, file = '']) => file)
    expect(files.filter((file) => !existsSync(file))).toEqual([])
  },
)

it.each(pages)('names only commands that there are in %s', (page) => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const named = readFileSync(page, 'utf8').matchAll(/npm run (?!-)([\w:]+)/g)
  const commands = [...named].map(([, command = '']) => command)
  expect(commands.filter((command) => !Object.hasOwn(scripts, command))).toEqual([])
})
