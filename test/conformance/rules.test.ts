import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { code, page } from '../../scripts/conformance/page.ts'
import { conformanceCases } from '../../src/conformance/index.ts'
import { specificationRules } from '../../src/conformance/rules.ts'
import { section } from '../support/specification.ts'

const specification = readFileSync('docs/reference/specification.md', 'utf8')
const sections = [...specification.matchAll(/^#{2,3} ([2-9](?:\.\d+)?)\.? /gm)].map(
  ([, number = '']) => number,
)

/** Returns the lines of a section that state a rule. */
function statements(number: string): string[] {
  return section(number)
    .split('\n')
    .filter((line, at, lines) => {
      const isTitle = /^\|[-| ]+\|$/.test(lines[at + 1] ?? '')
      const isFrame = line === '' || /^\|[-| ]+\|$/.test(line) || line.endsWith(':')
      return !isTitle && !isFrame && !isOpen(line)
    })
}

/** Whether each sentence of a line says that something is not shown. */
function isOpen(line: string): boolean {
  const sentences = line
    .replace(/^(?:-|\d\.) /, '')
    .split(/\. |\.$/)
    .filter((sentence) => sentence !== '')
  return !line.startsWith('|') && sentences.every((sentence) => sentence.includes('not shown'))
}

/** Returns the lines of a section that a rule covers. */
function coveredLines(number: string): Set<string> {
  const lines = section(number).split('\n')
  const rules = specificationRules.filter(({ id }) => id.startsWith(`${number}/`))
  const found = rules.flatMap(({ quotes, table }) => [
    ...lines.filter((line) => quotes.some((words) => line.includes(words))),
    ...(table ? tableOf(lines, quotes[0] ?? '') : []),
  ])
  return new Set(found)
}

/** Returns the rows of the table that contains these words. */
function tableOf(lines: string[], words: string): string[] {
  const row = lines.findIndex((line) => line.startsWith('|') && line.includes(words))
  const from = lines.findLastIndex((line, at) => at < row && !line.startsWith('|'))
  const to = lines.findIndex((line, at) => at > row && !line.startsWith('|'))
  return row === -1 ? [] : lines.slice(from + 1, to)
}

it.each(sections)('covers every statement of section %s with a rule', (number) => {
  const known = coveredLines(number)
  expect(statements(number).filter((line) => !known.has(line))).toEqual([])
})

it('finds every rule in its section', () => {
  const lost = specificationRules.flatMap(({ id, quotes }) => {
    const text = section(id.slice(0, id.indexOf('/')))
    return quotes.filter((words) => !text.includes(words)).map((words) => `${id}: ${words}`)
  })
  expect(lost).toEqual([])
})

it('has a case for every rule, or a reason', () => {
  const shown = new Set(conformanceCases.flatMap(({ rules }) => rules))
  const bare = specificationRules.filter(({ id, reason }) => shown.has(id) === Boolean(reason))
  expect(bare.map(({ id }) => id)).toEqual([])
})

it('names only existing rules in every case', () => {
  const known = new Set(specificationRules.map(({ id }) => id))
  const unknown = conformanceCases.flatMap(({ id, rules }) =>
    rules.filter((rule) => !known.has(rule)).map((rule) => `${id}: ${rule}`),
  )
  expect(unknown).toEqual([])
})

it('names existing code for every rule', () => {
  const files = Object.values(code).flat()
  expect(files.filter((file) => globSync(file).length === 0)).toEqual([])
  const without = specificationRules.filter(({ id }) => !code[id.slice(0, id.indexOf('/'))])
  expect(without).toEqual([])
})

it('matches docs/trust/conformance.md, which npm run conformance:docs writes', () => {
  expect(readFileSync('docs/trust/conformance.md', 'utf8')).toBe(page())
})
