import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import MiniSearch from 'minisearch'
import { findHits, miniSearch, rankHits } from '../../../docs/.vitepress/search.ts'
import { firstResults, searches, unwantedResults } from './searches.ts'

/** Searches the index of the built site as its search box does. Returns the searches that do not find their page. */
export async function checkSearch(): Promise<string[]> {
  const index = await loadIndex()
  // A page with several matching sections is counted once.
  const find = (query: string) => [
    ...new Set(rankHits(findHits(index, query), query).map(({ id }) => pathOf(id))),
  ]
  const expected = [
    ...Object.entries(searches).map(([query, pages]) => ({ query, pages, places: 3 })),
    ...Object.entries(firstResults).map(([query, page]) => ({ query, pages: [page], places: 1 })),
  ]
  const missing = expected.flatMap(({ query, pages, places }) => {
    const first = find(query).slice(0, places)
    if (first.some((page) => pages.includes(page))) return []
    return [
      `The search for "${query}" finds ${first.join(', ') || 'nothing'}; expected ${pages.join(' or ')}.`,
    ]
  })
  const unwanted = Object.entries(unwantedResults).flatMap(([query, page]) =>
    find(query).includes(page) ? [`The search for "${query}" finds ${page}.`] : [],
  )
  return [...missing, ...unwanted]
}

async function loadIndex(): Promise<MiniSearch> {
  const [file = ''] = globSync('site/assets/chunks/@localSearchIndexroot.*.js')
  // VitePress wrote the module. Its default export is the index as JSON.
  const { default: json } = (await import(pathToFileURL(resolve(file)).href)) as { default: string }
  const { options, searchOptions } = miniSearch
  return MiniSearch.loadJSON(json, { ...options, searchOptions })
}

function pathOf(id: string): string {
  return id.replace(/^\//, '').replace(/\.html(?:#.*)?$|#.*$/, '')
}
