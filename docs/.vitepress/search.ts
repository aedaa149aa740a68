import type { DefaultTheme } from 'vitepress'
import { fieldOf } from './frontmatter.ts'

type LocalSearch = Extract<DefaultTheme.Config['search'], { provider: 'local' }>
type SearchOptions = NonNullable<LocalSearch['options']>

/** A section of a page in the index. */
interface Section {
  /** The address, such as `/guides/webhooks.html#verification`. */
  id: string
  title: string
  /** The titles of the sections around it; none for the section below the title of the page. */
  titles: string[]
  text: string
}

/** How pages are indexed and searched; `npm run docs:check` searches with the same options. */
export const miniSearch = {
  options: {
    fields: ['title', 'titles', 'keywords', 'text'],
    storeFields: ['title', 'titles'],
    // The fields are those above.
    extractField: (section: Section, field: string) =>
      field === 'keywords' ? keywordsOf(section) : section[field as keyof Section],
  },
  searchOptions: {
    fuzzy: 0.2,
    prefix: true,
    boost: { title: 4, keywords: 8, text: 1, titles: 1 },
    // Runs in the browser, so it uses nothing from this file. Guides come first.
    boostDocument: (id: string) => {
      const isAside =
        /\/(?:contributing|trust\/(?:measurements|conformance|changelog|threat))/.test(id)
      if (isAside || id.includes('/reference/api/')) return 0.3
      return id.includes('/reference/specification') ? 0.6 : 1
    },
  },
}

/** Renders a page for the index; of the reference only names and descriptions. */
const renderForIndex: SearchOptions['_render'] = (source, env, md) => {
  const text = env.relativePath.startsWith('reference/api/') ? withoutDetails(source) : source
  return md.render(text, { ...env, isIndexed: true })
}

export const search: LocalSearch = {
  provider: 'local',
  options: { detailedView: true, miniSearch, _render: renderForIndex },
}

/** Returns the words that lead to a page although it does not contain them: `keywords` in its frontmatter. */
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
