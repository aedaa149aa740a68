import { readFileSync } from 'node:fs'

const text = readFileSync(new URL('../../docs/reference/specification.md', import.meta.url), 'utf8')

/** A row of a table in the specification, by column title. */
export type Row = Record<string, string>

/** Returns the content of a numbered section, such as `2.1` or `8`, without its heading. */
export function section(number: string): string {
  const heading = new RegExp(`^#{2,3} ${number.replace('.', '\\.')}\\.? .*$`, 'm')
  const start = heading.exec(text)
  if (!start) throw new Error(`The specification has no section ${number}`)
  const rest = text.slice(start.index + start[0].length)
  const end = /^#{2,3} \d/m.exec(rest)
  return end ? rest.slice(0, end.index) : rest
}

/** Returns the tables of a section, in order. */
export function tables(number: string): Row[][] {
  const blocks = section(number).match(/(?:^\|.*\|$\n?)+/gm) ?? []
  return blocks.map((block) => {
    const [titles = [], , ...rows] = block.trim().split('\n').map(cells)
    return rows.map((row) => Object.fromEntries(titles.map((title, at) => [title, row[at] ?? ''])))
  })
}

function cells(line: string): string[] {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())
}

/** Returns the table of a section that has this name in its first column. */
export function tableWith(number: string, name: string): Row[] {
  const found = tables(number).find((rows) => rows.some((row) => Object.values(row)[0] === name))
  if (!found) throw new Error(`Section ${number} has no table with a row ${name}`)
  return found
}

/** Returns section, method and path of every endpoint in part 4 with its own section. */
export function endpointLines(): { spec: string; line: string }[] {
  const found = text.matchAll(/^### (4\.\d+) .*\n\n`([A-Z]+ \/[^`]+)`/gm)
  return [...found].map(([, spec = '', line = '']) => ({ spec, line }))
}

/** Splits a comma-separated list. */
export function values(list: string): string[] {
  return list.split(',').map((value) => value.replace(/\(.*\)/, '').trim())
}

/** Returns the list after a phrase, up to the end of its sentence. */
export function valuesAfter(number: string, phrase: string): string[] {
  const after = section(number).split(phrase)[1]
  if (after === undefined) throw new Error(`Section ${number} does not say ${phrase}`)
  return values(after.split(/\.\s|\(non-exhaustive|\.$/m)[0] ?? '')
}
