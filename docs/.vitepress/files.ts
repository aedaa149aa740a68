import { copyFileSync, globSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SiteConfig } from 'vitepress'

/** Copies the pages as Markdown and llms.txt to the site, for programs. */
export function addFiles({ outDir }: SiteConfig): void {
  for (const page of globSync('docs/{*,*/**/*}.md')) {
    copyTo(join(outDir, page.replace(/^docs\//, '')), page)
  }
  for (const file of globSync('llms*.txt')) copyTo(join(outDir, file), file)
}

function copyTo(target: string, file: string): void {
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(file, target)
}
