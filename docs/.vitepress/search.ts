import type { DefaultTheme, Plugin } from 'vitepress'
import { fieldOf } from './frontmatter.ts'

type LocalSearch = Extract<DefaultTheme.Config['search'], { provider: 'local' }>
type SearchOptions = NonNullable<LocalSearch['options']>

interface Section {
  /** The address, such as `/guides/webhooks.html#verification`. */
  id: string
  title: string
  /** The titles of the enclosing sections; empty for the section below the page title. */
  titles: string[]
  text: string
}

/** How pages are indexed and searched; `npm run docs:check` searches with the same options. */
export const miniSearch = {
  options: {
    fields: ['title', 'titles', 'keywords', 'text'],
    storeFields: ['title', 'titles'],
    processTerm: termsOf,
    // `field` is one of the fields above.
    extractField: (section: Section, field: string) =>
      field === 'keywords' ? keywordsOf(section) : section[field as keyof Section],
  },
  searchOptions: {
    fuzzy: 0.2,
    prefix: true,
    boost: { title: 4, keywords: 10, text: 1, titles: 1 },
    // Runs in the browser, so it must not use anything else in this file. Guides come first.
    boostDocument: (id: string, _term: string, section?: Record<string, unknown>) => {
      const isAside = /\/(?:contributing|trust\/(?:measurements|conformance|threat))/.test(id)
      const isRelease = `${section?.['titles']}`.includes('Changelog')
      if (isAside || isRelease || id.includes('/reference/api/')) return 0.3
      return id.includes('/reference/specification') ? 0.6 : 1
    },
  },
}

/**
 * Returns the stem of a word, and of the word that this documentation uses instead, so that "removed" finds "delete".
 * Returns nothing for words such as "how". The function also runs in the browser, so it must not use anything else in
 * this file.
 */
function termsOf(word: string): string | string[] | undefined {
  if (/^(?:an?|and|are|can|do|does|for|how|i|in|is|my|of|on|the|to|what|with)$/i.test(word))
    return undefined
  const synonyms: Record<string, string> = {
    callback: 'webhook',
    eras: 'delet',
    excel: 'csv',
    forbidden: '403',
    jwt: 'token',
    login: 'sign',
    poll: 'wait',
    remov: 'delet',
    revok: 'disconnect',
    spreadsheet: 'csv',
    stub: 'mock',
    subscrib: 'webhook',
    throttl: 'rate',
    unauthoriz: '401',
    unlink: 'disconnect',
    upgrad: 'migrat',
  }
  const lower = word
    .toLowerCase()
    .replace(/ies$/, 'y')
    .replace(/(?<!s)s$/, '')
  const short = lower.replace(/(?:ation|ion|ing|ed|e)$/, '')
  const stem = short.length < 4 ? lower : short.replace(/([^aeiouls])\1$|(?<=l)l$/, '$1')
  const synonym = Object.hasOwn(synonyms, stem) ? synonyms[stem] : undefined
  return synonym ? [stem, synonym] : stem
}

/** The maximum number of results for one page in the search box. */
const hitsPerPage = 2

/** Returns a filter for search results, sorted best first, that keeps a few results per page. Also runs in the browser. */
function keepFew(limit: number): (result: { id: string }) => boolean {
  const counts: Record<string, number> = {}
  return ({ id }) => {
    const [page = ''] = id.split('#')
    counts[page] = (counts[page] ?? 0) + 1
    return counts[page] <= limit
  }
}

/** Limits the number of results per page in VitePress's search box, which has no option for this. */
export const limitHits: Plugin = {
  name: 'limit-hits',
  enforce: 'pre',
  transform(code, id) {
    if (!/VPLocalSearchBox\.vue$/.test(id)) return undefined
    const all = '.slice(0, 16)'
    if (!code.includes(all))
      throw new Error('The search box of this VitePress differs: see limitHits.')
    return code.replace(all, `.filter((${keepFew})(${hitsPerPage}))${all}`)
  },
}

/** Renders a page for the index. For the reference, includes only names and descriptions. */
const renderForIndex: SearchOptions['_render'] = (source, env, md) => {
  const text = env.relativePath.startsWith('reference/api/') ? withoutDetails(source) : source
  return md.render(text, { ...env, isIndexed: true })
}

export const search: LocalSearch = {
  provider: 'local',
  options: { detailedView: true, miniSearch, _render: renderForIndex },
}

/** Returns a page's additional search words: `keywords` in its frontmatter. */
function keywordsOf({ id, titles }: Section): string {
  if (titles.length > 0) return ''
  const path = id
    .slice((process.env['DOCS_BASE'] ?? '/').length)
    .replace(/(?:\.html)?(?:#.*)?$/, '')
  const file = path === '' || path.endsWith('/') ? `${path}index` : path
  return fieldOf(`docs/${file}.md`, 'keywords') ?? ''
}

/** Removes signatures, tables and the sections of members, such as parameters. */
function withoutDetails(source: string): string {
  return source
    .replaceAll(/^#{4,} [\s\S]*?(?=^#{1,3} |$(?![\s\S]))/gm, '')
    .replaceAll(/^[>|*[].*$/gm, '')
}
