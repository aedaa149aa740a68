import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import MiniSearch from 'minisearch'
import { miniSearch } from '../../../docs/.vitepress/search.ts'
import { searches } from './searches.ts'

/** Searches the index of the built site as its search box does. Returns the searches that do not find their page. */
export async function checkSearch(): Promise<string[]> {
  const index = await loadIndex()
  return Object.entries(searches).flatMap(([query, pages]) => {
    const found = index.search(query).map(({ id }) => pathOf(id))
    // A page with several matching sections is counted once.
    const first = [...new Set(found)].slice(0, 3)
    if (first.some((page) => pages.includes(page))) return []
    return [
      `The search for "${query}" finds ${first.join(', ') || 'nothing'}; expected ${pages.join(' or ')}.`,
    ]
  })
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
