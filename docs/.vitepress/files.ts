import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SiteConfig } from 'vitepress'
import { llms, llmsFull, pageText } from '../../scripts/docs/llms.ts'

/** Adds files for programs to the site: the pages as Markdown, llms.txt and the parts of llms-full.txt. */
export function addFiles({ outDir, site }: SiteConfig): void {
  for (const page of globSync('docs/{*,*/**/*}.md')) {
    copyPage(join(outDir, page.replace(/^docs\//, '')), page)
  }
  for (const [file, text] of Object.entries({ 'llms.txt': llms(), ...llmsFull() })) {
    writeFileSync(join(outDir, file), text.replaceAll('](docs/', `](${site.base}`))
  }
}

function copyPage(target: string, page: string): void {
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, pageText(page))
}
