import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { type DeclarationReflection, type PageDefinition, Reflection } from 'typedoc'
import { slugify } from '../markdown/slugify.ts'

/** A page of the reference, which describes one or more exports. */
interface JoinedPage {
  title: string
  /** The path inside the reference, such as `client/errors.md`. */
  path: string
  /** The exports and the pages that TypeDoc wrote for them. */
  parts: { name: string; url: string }[]
}

/** Exports with more words than this get their own page. */
const longest = 700

/** Modules with fewer words than this get one page. */
const shortModule = 1500

/** A page of the sidebar: its title and its path without the extension. */
export type SidebarPage = [title: string, path: string]

/**
 * Joins the pages of a module's exports into one page per category, and rewrites links. Long exports keep their own
 * page. Returns the pages by module, for the sidebar.
 */
export function joinPages(
  folder: string,
  modules: readonly DeclarationReflection[],
  pages: readonly PageDefinition[],
): Record<string, SidebarPage[]> {
  const urls = new Map(pages.map(({ model, url }) => [model, url]))
  const texts = new Map(pages.map(({ url }) => [url, readFileSync(join(folder, url), 'utf8')]))
  const joined = new Map(modules.map((module) => [module, pagesOf(module, urls, texts)]))
  const all = [...joined.values()].flat()
  const places = new Map(all.flatMap(placesOf))
  for (const { url, model } of pages) {
    const isModule = model instanceof Reflection && joined.has(model as DeclarationReflection)
    const text = texts.get(url) ?? ''
    if (isModule || !places.has(url)) write(folder, url, relink(text, url, url, places))
    else rmSync(join(folder, url))
  }
  for (const page of all) {
    const text = page.parts.map((part) => partOf(part, page, texts, places)).join('\n\n')
    const isIndex = page.path.endsWith('/index.md')
    const head = isIndex ? readFileSync(join(folder, page.path), 'utf8') : headOf(page)
    // The outline of a page with several exports lists only their names.
    const frontmatter = page.parts.length > 1 ? '---\noutline: 2\n---\n\n' : ''
    write(folder, page.path, `${frontmatter}${head}\n${text}`)
  }
  return Object.fromEntries(
    [...joined].map(([{ name }, found]) => [
      name,
      found.map(({ title, path }): SidebarPage => [title, path.replace(/\.md$/, '')]),
    ]),
  )
}

function pagesOf(
  module: DeclarationReflection,
  urls: ReadonlyMap<unknown, string>,
  texts: ReadonlyMap<string, string>,
): JoinedPage[] {
  const folder = dirname(urls.get(module) ?? '')
  const categories = (module.categories ?? []).map(({ title, children }) => ({
    title,
    parts: children.flatMap((child) => {
      const url = urls.get(child)
      return url ? [{ name: child.name, url }] : []
    }),
  }))
  const words = ({ url }: { url: string }) => texts.get(url)?.split(/\s+/).length ?? 0
  const parts = categories.flatMap((category) => category.parts)
  const total = parts.reduce((sum, part) => sum + words(part), 0)
  if (total < shortModule) return [{ title: module.name, path: `${folder}/index.md`, parts }]
  return categories.flatMap((category) => {
    const long = category.parts.filter((part) => words(part) > longest)
    const short = category.parts.filter((part) => !long.includes(part))
    const own = long.map((part) => ({
      title: part.name,
      path: `${folder}/${part.name}.md`,
      parts: [part],
    }))
    if (short.length === 0) return own
    const path = `${folder}/${slugify(category.title)}.md`
    return [...own, { title: category.title, path, parts: short }]
  })
}

/** Returns where each export's description is now, keyed by the page that TypeDoc wrote. */
function placesOf({ path, parts }: JoinedPage): [string, string][] {
  const isOwn = parts.length === 1 && !path.endsWith('/index.md')
  return parts.map(({ name, url }) => [url, isOwn ? path : `${path}#${slugify(name)}`])
}

function headOf({ title, path, parts }: JoinedPage): string {
  if (parts.length === 1 && parts[0]?.name === title) return `# ${title}\n`
  const names = parts.map(({ name }) => `[${name}](#${slugify(name)})`)
  return `# ${title}\n\n${title}, exported by \`${importOf(path)}\`: ${names.join(', ')}.\n`
}

/** Returns the module name to import, such as `health-lab-sdk/events`. */
function importOf(path: string): string {
  return posix.join('health-lab-sdk', dirname(path).replace(/^client$/, ''))
}

function partOf(
  { name, url }: JoinedPage['parts'][number],
  page: JoinedPage,
  texts: ReadonlyMap<string, string>,
  places: ReadonlyMap<string, string>,
): string {
  const text = relink(texts.get(url) ?? '', url, page.path, places)
  // The joined page has no anchors for members.
  const body = text.replace(/^# .*\n+/m, '').replaceAll(/\[([^\]]+)\]\(#property-[^)]*\)/g, '$1')
  if (page.parts.length === 1 && page.title === name) return body
  return `## ${name}\n\n${body.replaceAll(/^#(?=#+ )/gm, '##')}`
}

/** Rewrites a page's relative links for the page's new location. */
function relink(
  text: string,
  from: string,
  to: string,
  places: ReadonlyMap<string, string>,
): string {
  return text.replaceAll(/\]\(([^)#:\s]+\.md)(#[^)\s]*)?\)/g, (link, path: string) => {
    if (path.startsWith('/')) return link
    const target = posix.join(dirname(from), path)
    const [file = '', anchor] = (places.get(target) ?? target).split('#')
    const relative = file === to ? '' : posix.relative(dirname(to), file)
    return `](${relative}${anchor ? `#${anchor}` : ''})`
  })
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
