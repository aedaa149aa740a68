import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { signatures } from '../../scripts/docs/reference/operations.ts'

const pages = globSync('docs/reference/operations/*.md')

function sectionOf(file: string, title: string): string {
  const [, text = ''] = readFileSync(file, 'utf8').split(`\n## ${title}\n`)
  return text.split('\n## ')[0] ?? ''
}

it.each(pages)('lists every error once in %s', (file) => {
  const rows = sectionOf(file, 'Errors').match(/^\| .*? \|/gm) ?? []
  const errors = rows.flatMap((row) => row.match(/`\w+`/g) ?? [])
  expect(errors).toContain('`AuthenticationError`')
  expect(errors).toEqual([...new Set(errors)])
})

it.each(pages)('links the types of fields and results in %s', (file) => {
  const cells = [
    ...sectionOf(file, 'Parameters').matchAll(/^\| [^|]* \| ((?:[^|\\]|\\.)*) \|/gm),
    ...sectionOf(file, 'Response').matchAll(/resolves to (.*?)\. /g),
  ]
  const unlinked = cells.flatMap(([, cell = '']) => cell.match(/(?<!\[)`\w*[A-Z].*?`/g) ?? [])
  expect(unlinked).toEqual([])
})

it.each(pages)('links the section of the specification once above the example in %s', (file) => {
  const [head = ''] = readFileSync(file, 'utf8').split('\n```ts\n')
  const sections = [...head.matchAll(/specification\.md#([\w-]+)/g)].map(([, anchor]) => anchor)
  expect(sections).toEqual([...new Set(sections)])
})

it('marks required parameters and fields in their first cell', () => {
  const page = sectionOf('docs/reference/operations/summaries-list.md', 'Parameters')
  expect(page).toContain('| `userId`<br>*required* |')
  expect(page).toContain('| `start_date`<br>*required* |')
  expect(page).toContain('| `query` |')
  expect(page).not.toContain('Required.')
})

it('lists the values of small enumerations', () => {
  const query = readFileSync('docs/reference/operations/aggregate-query.md', 'utf8')
  expect(query).toContain('Known values: `minute`, `hour`, `day`, `week`, `month`, `year`.')
  const list = readFileSync('docs/reference/operations/summaries-list.md', 'utf8')
  expect(list).toContain('Values: `activity`, `body`, `meal`, `profile`, `sleep`, `workouts`.')
  const remove = readFileSync('docs/reference/operations/link-deleteConnection.md', 'utf8')
  expect(remove).not.toMatch(/values: `oura`/i)
})

it('replaces type parameters with the types that they extend', () => {
  const parameters = signatures.get('summaries.list')?.parameters
  expect(parameters?.[1]).toMatchObject({ name: 'resource', type: 'SummaryResource' })
})
