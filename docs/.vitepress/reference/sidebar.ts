import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DeclarationReflection, PageDefinition, Reflection } from 'typedoc'

/** The file with the exports of each module, which the theme loads with the first page of the reference. */
const file = 'docs/public/api-sidebar.json'

/** Writes the exports of each module by category: `{ '/reference/api/client/': [{ title, items: [[name, link]] }] }`. */
export function writeSidebar(
  modules: readonly DeclarationReflection[],
  pages: readonly PageDefinition[],
): void {
  const urls = new Map(pages.map(({ model, url }) => [model, url]))
  const linkOf = (model: Reflection) => `/reference/api/${urls.get(model)}`.replace(/\.md$/, '')
  const sidebar = Object.fromEntries(
    modules.map((module) => [
      linkOf(module).replace(/index$/, ''),
      module.categories?.map(({ title, children }) => ({
        title,
        items: children
          .filter((child) => urls.has(child))
          .map((child) => [child.name, linkOf(child)]),
      })),
    ]),
  )
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(sidebar))
}
