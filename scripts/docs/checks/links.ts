import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import type { DefaultTheme } from 'vitepress'
import { sidebar } from '../../../docs/.vitepress/sidebar.ts'

interface Page {
  /** The path on the site, such as `/guides/webhooks.html`. */
  path: string
  links: string[]
  anchors: Set<string>
}

/**
 * Checks every link and anchor inside the built site, that every page can be reached, and that the entries of a sidebar
 * have different names. Returns the problems.
 */
export function checkLinks(): string[] {
  const pages = new Map(
    globSync('site/**/*.html')
      .map(readPage)
      .map((page) => [page.path, page]),
  )
  const files = new Set(globSync('site/**/*').map((file) => `/${file.slice('site/'.length)}`))
  const broken = [...pages.values()].flatMap((page) => {
    const problem = (link: string) => problemOf(resolveLink(link, page.path), pages, files)
    return page.links.flatMap((link) =>
      problem(link) ? [`${page.path}: ${link} ${problem(link)}`] : [],
    )
  })
  return [...broken, ...unreachable(pages), ...Object.values(sidebar).flatMap(repeatedNames)]
}

function repeatedNames(sidebarOfPages: DefaultTheme.SidebarMulti[string]): string[] {
  const items = Array.isArray(sidebarOfPages) ? sidebarOfPages : sidebarOfPages.items
  const names = items.flatMap(namesIn)
  const repeated = new Set(names.filter((name, place) => names.indexOf(name) < place))
  return [...repeated].map((name) => `The sidebar has two entries "${name}".`)
}

function namesIn({ text = '', items = [] }: DefaultTheme.SidebarItem): string[] {
  return [text, ...items.flatMap(namesIn)]
}

function readPage(file: string): Page {
  const html = readFileSync(file, 'utf8')
  const values = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, value = '']) => value)
  return {
    path: `/${file.slice('site/'.length)}`,
    links: values(/<a\b[^>]*? href="([^"]*)"/g).filter((link) => !/^\w+:/.test(link)),
    anchors: new Set(values(/ id="([^"]+)"/g)),
  }
}

function resolveLink(link: string, page: string): [path: string, anchor: string] {
  const [path = '', anchor = ''] = link.replaceAll('&amp;', '&').split('#')
  const full = path === '' ? page : posix.join(posix.dirname(page), path)
  const absolute = path.startsWith('/') ? path : full
  return [absolute.endsWith('/') ? `${absolute}index.html` : absolute, decodeURIComponent(anchor)]
}

function problemOf(
  [path, anchor]: [string, string],
  pages: ReadonlyMap<string, Page>,
  files: ReadonlySet<string>,
): string | undefined {
  if (!files.has(path)) return 'leads nowhere'
  const anchors = pages.get(path)?.anchors
  return anchor === '' || anchors?.has(anchor) ? undefined : 'has no such anchor'
}

/** A page is unreachable if no other page links to it. */
function unreachable(pages: ReadonlyMap<string, Page>): string[] {
  const linked = new Set(
    [...pages.values()].flatMap(({ path, links }) =>
      links.map((link) => resolveLink(link, path)[0]).filter((target) => target !== path),
    ),
  )
  const entries = ['/index.html', '/404.html']
  const alone = [...pages.keys()].filter((path) => !linked.has(path) && !entries.includes(path))
  return alone.map((path) => `${path}: no page links to it`)
}
