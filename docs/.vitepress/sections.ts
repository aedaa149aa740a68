import { readFileSync } from 'node:fs'
import { slugify } from './markdown/slugify.ts'

/** Returns the anchors of the sections of the specification, by number, such as `4.8` or `9`. */
export function sectionAnchors(): Map<string, string> {
  const text = readFileSync('docs/reference/specification.md', 'utf8')
  const headings = text.matchAll(/^#{2,3} (([\d.]*\d)\b.*)$/gm)
  return new Map([...headings].map(([, title = '', number = '']) => [number, slugify(title)]))
}
