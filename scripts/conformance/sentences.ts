import { readFileSync } from 'node:fs'
import { section } from '../../test/support/specification.ts'

const specification = readFileSync(
  new URL('../../docs/reference/specification.md', import.meta.url),
  'utf8',
)

/** The titles of the sections in parts 2 to 9, in order, keyed by number. */
export const sectionTitles: ReadonlyMap<string, string> = new Map(
  [...specification.matchAll(/^#{2,3} ([2-9](?:\.\d+)?)\.? (.+)$/gm)].map(
    ([, number = '', title = '']) => [number, title],
  ),
)

/** A sentence in the specification, or a row of one of its tables. */
export interface Sentence {
  section: string
  /** The content, without the bullet or number of a list item. A table row includes its bars. */
  text: string
  /** Whether the sentence only says what the specification leaves open. */
  isOpen: boolean
}

/** Includes table rows, but no titles. */
export function sentencesOf(number: string): Sentence[] {
  const lines = section(number).split('\n')
  return lines
    .filter((line, at) => !isFrame(line, lines[at + 1] ?? ''))
    .flatMap((line) => (line.startsWith('|') ? [line] : splitSentences(line)))
    .map((text) => ({ section: number, text, isOpen: isOpen(text) }))
}

/** Returns whether a line is empty, the title or frame of a table, or the introduction of a list. */
function isFrame(line: string, next: string): boolean {
  const isRuler = (text: string) => /^\|[-| ]+\|$/.test(text)
  return line === '' || isRuler(line) || isRuler(next) || (line.endsWith(':') && !/`/.test(line))
}

function splitSentences(line: string): string[] {
  const text = line.trim().replace(/^(?:-|\d+\.) /, '')
  return text.split(/(?<=\.) +(?=[A-Z`])/)
}

function isOpen(text: string): boolean {
  return !text.startsWith('|') && /not shown|not reproduced/.test(text)
}
