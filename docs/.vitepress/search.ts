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
    // Runs in the browser. Similar short words mean different things, such as "fast" and "last".
    fuzzy: (term: string) => (term.length > 6 ? 0.2 : false),
    prefix: true,
    boost: { title: 4, keywords: 10, text: 1, titles: 1 },
    // Runs in the browser, so it must not use anything else in this file. Guides come first.
    boostDocument: (id: string, _term: string, section?: Record<string, unknown>) => {
      const isAside = /\/(?:contributing|trust\/(?:measurements|conformance|threat))/.test(id)
      const isRelease = `${section?.['titles']}`.includes('Changelog')
      if (isAside || isRelease || id.includes('/reference/api/')) return 0.3
      return /\/reference\/(?:specification|operations\/)/.test(id) ? 0.5 : 1
    },
  },
}

/**
 * Returns the stem of a word, and of the word that this documentation uses instead, so that "removed" finds "delete".
 * Returns nothing for words such as "how". The function also runs in the browser, so it must not use anything else in
 * this file.
 */
function termsOf(word: string): string | string[] | undefined {
  if (
    /^(?:an?|and|are|can|do|does|for|happens?|how|i|if|in|is|my|of|on|the|to|what|with)$/i.test(
      word,
    )
  )
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
  // "fast" would also find "Fastify".
  if (lower === 'fasting') return lower
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

/**
 * Returns the results, best first. A heading with exactly the words of the query counts twice. Also runs in the
 * browser, so it must not use anything else in this file.
 */
export function rankHits<Hit extends { title?: string; score: number }>(
  hits: Hit[],
  query: string,
  toTerms = termsOf,
): Hit[] {
  return hits
    .map((hit) => {
      const [asked, title] = [query, `${hit.title}`.replaceAll(/<[^>]*>/g, '')].map((text) => {
        const terms = text.split(/[^\p{L}\p{N}]+/u).flatMap((word) => toTerms(word) ?? [])
        return terms.join(' ').trim()
      })
      return asked === title ? { ...hit, score: 2 * hit.score } : hit
    })
    .sort((one, other) => other.score - one.score)
}

interface Searchable<Hit> {
  search(query: string, options?: { fuzzy: number }): Hit[]
}

/**
 * Searches the index. If nothing matches, accepts a typo in every four letters. Also runs in the browser, so it must not
 * use anything else in this file.
 */
export function findHits<Hit>(index: Searchable<Hit>, query: string): Hit[] {
  const hits = index.search(query)
  return hits.length > 0 ? hits : index.search(query, { fuzzy: 0.25 })
}

/** Pages for readers who find nothing. */
const nextSteps = {
  'tasks/limits.html': 'what the service cannot do',
  'reference/operations.html': 'all operations',
}

type Change = [from: RegExp, to: string]

/**
 * Sorts the results in VitePress's search box, limits their number per page, and links to other pages if there are
 * none. Adds the name of a key to the search button, so that its text matches its label. VitePress has no options for
 * this.
 */
export const searchBox: Plugin = {
  name: 'search-box',
  enforce: 'pre',
  transform(code, id) {
    const [, component = ''] = /(VPLocalSearchBox|VPNavBarSearchButton)\.vue$/.exec(id) ?? []
    return changesOf[component]?.().reduce((changed, [from, to]) => {
      if (!from.test(changed))
        throw new Error('The search box of this VitePress differs: see searchBox.')
      return changed.replace(from, () => to)
    }, code)
  },
}

/** The changes to the components of VitePress. */
const changesOf: Record<string, () => Change[]> = {
  VPLocalSearchBox() {
    const base = process.env['DOCS_BASE'] ?? '/'
    const links = Object.entries(nextSteps).map(
      ([path, text]) => `<a href="${base}${path}" @click="$emit('close')">${text}</a>`,
    )
    const query = 'filterTextValue'
    const hits = `(${rankHits})((${findHits})(index, ${query}), ${query}, ${termsOf})`
    return [
      [
        /index\s+\.search\(filterTextValue\)\s+\.slice\(0, 16\)/,
        `${hits}.filter((${keepFew})(${hitsPerPage})).slice(0, 16)`,
      ],
      [/(?<=class="no-results"[\s\S]*?)(?=<\/li>)/, `<p>See ${links.join(' or ')}.</p>`],
    ]
  },
  VPNavBarSearchButton: () => [
    // The theme shows the key with a style, which replaces the text.
    [/(?<=<kbd class="DocSearch-Button-Key">)(?=<)/, ' Ctrl '],
  ],
}

/** Renders a page for the index. For the reference, includes only names and descriptions. */
const renderForIndex: SearchOptions['_render'] = (source, env, md) => {
  const text = env.relativePath.startsWith('reference/api/') ? withoutDetails(source) : source
  return md.render(text, { ...env, isIndexed: true })
}

export const search: LocalSearch = {
  provider: 'local',
  options: {
    detailedView: true,
    miniSearch,
    _render: renderForIndex,
    // Contains the visible text of the button.
    translations: { button: { buttonAriaLabel: 'Search Ctrl K' } },
  },
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
