import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const page = readFileSync('docs/threat-model.md', 'utf8')

/** What a row names: `[file](link): "title", "title"; [file](link): "title"`. */
function testsOf(row: string): { file: string; title: string }[] {
  return [...row.matchAll(/\]\((\.\.\/test\/[^)]+)\): ((?:"[^"]+"(?:, )?)+)/g)].flatMap(
    ([, link = '', titles = '']) =>
      [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({
        file: join('docs', link),
        title,
      })),
  )
}

/** The rows of the tables that name tests: a threat, what is done, and what shows it. */
const threats = page
  .split(/^## /m)
  .filter((section) => section.includes('| Shown by |'))
  .flatMap((section) => section.split('\n').filter((line) => /^\| (?!Threat|-)/.test(line)))

it('finds the threats it speaks of', () => {
  expect(threats.length).toBeGreaterThan(30)
})

it('names a test for every threat', () => {
  expect(threats.filter((threat) => testsOf(threat).length === 0)).toEqual([])
})

it('has a row for every file of attack tests', () => {
  const named = threats.flatMap(testsOf).map(({ file }) => file)
  expect(globSync('test/attacks/*.test.ts').filter((file) => !named.includes(file))).toEqual([])
})

it('names only tests that there are', () => {
  const isThere = ({ file, title }: { file: string; title: string }) =>
    existsSync(file) &&
    [`'${title}'`, `"${title}"`, `\`${title}\``].some((text) =>
      readFileSync(file, 'utf8').includes(text),
    )
  expect(testsOf(page).filter((named) => !isThere(named))).toEqual([])
})
