import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const page = readFileSync('docs/trust/security.md', 'utf8')

/** Returns the tests in a row: `[file](link): "title", "title"; [file](link): "title"`. */
function testsOf(row: string): { file: string; title: string }[] {
  return [...row.matchAll(/\]\(((?:\.\.\/)+test\/[^)]+)\): ((?:"[^"]+"(?:, )?)+)/g)].flatMap(
    ([, link = '', titles = '']) =>
      [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({
        file: join('docs/trust', link),
        title,
      })),
  )
}

/** The rows of the tables that name tests. */
const threats = page
  .split(/^### /m)
  .filter((section) => section.includes('| Shown by |'))
  .flatMap((section) => section.split('\n').filter((line) => /^\| (?!Threat|-)/.test(line)))

it('finds the threats', () => {
  expect(threats.length).toBeGreaterThan(30)
})

it('names a test for every threat', () => {
  expect(threats.filter((threat) => testsOf(threat).length === 0)).toEqual([])
})

it('has a row for every file of attack tests', () => {
  const named = threats.flatMap(testsOf).map(({ file }) => file)
  const attacks = globSync('test/**/*.attack{,.long}.test.ts')
  expect(attacks.filter((file) => !named.includes(file))).toEqual([])
})

/** On the page, an ellipsis stands for a placeholder in a title, such as `%s` or `$name`. */
const placeholder = /%[sjdio]|\$[a-z][A-Za-z.]*/g

it('names only existing tests', () => {
  const exists = ({ file, title }: { file: string; title: string }) =>
    existsSync(file) &&
    [`'${title}'`, `"${title}"`, `\`${title}\``].some((text) =>
      readFileSync(file, 'utf8').replace(placeholder, '…').includes(text),
    )
  expect(testsOf(page).filter((named) => !exists(named))).toEqual([])
})
