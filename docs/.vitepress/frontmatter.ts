import { readFileSync } from 'node:fs'

/** Returns a single-line field from a page's frontmatter, such as `keywords: retry, backoff`. */
export function fieldOf(page: string, field: string): string | undefined {
  const [, block = ''] = /^---\n([\s\S]*?)\n---\n/.exec(readFileSync(page, 'utf8')) ?? []
  return block
    .split('\n')
    .find((line) => line.startsWith(`${field}: `))
    ?.slice(field.length + 2)
}
