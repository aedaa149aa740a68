import { existsSync } from 'node:fs'
import type { PageData } from 'vitepress'
import { summaryOf } from './summary.ts'

/** Adds a page's description. Hides the edit link of pages generated from other files. */
export function addPageData({
  relativePath,
  frontmatter,
  description,
}: PageData): Partial<PageData> {
  const isGenerated = relativePath.startsWith('reference/api/')
  const shown = isGenerated ? { ...frontmatter, editLink: false } : frontmatter
  const isGuide = !relativePath.startsWith('reference/api/') && frontmatter['layout'] !== 'home'
  const file = `docs/${relativePath}`
  if (!isGuide || description || !existsSync(file)) return { frontmatter: shown }
  return { frontmatter: shown, description: summaryOf(file).sentence }
}
