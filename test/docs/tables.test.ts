import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { llms } from '../../scripts/docs/llms.ts'
import { operationsPage, operationsSource, repeatedAfter } from '../../scripts/docs/operations.ts'
import { endpoints } from '../../src/contract/endpoints.ts'
import { operations } from '../../src/contract/operations.ts'

it.each([
  { file: 'src/contract/operations.ts', written: operationsSource },
  { file: 'docs/operations.md', written: operationsPage },
  { file: 'llms.txt', written: llms },
])('has $file as npm run docs:tables writes it', ({ file, written }) => {
  expect(readFileSync(file, 'utf8')).toBe(written())
})

it('lists every operation of the contract once', () => {
  const ids = operations.map(({ id }) => id)
  expect(ids).toEqual([...new Set(endpoints.map(({ id }) => id))])
})

it.each(operations)('tells of $id what its effect lets it repeat', (operation) => {
  expect(operation.repeatedAfter).toEqual(repeatedAfter(operation.effect))
})

it('names every page of the documentation for those who read it by program', () => {
  const text = readFileSync('llms.txt', 'utf8')
  const pages = [...text.matchAll(/\]\((docs\/[^)]+)\)/g)].map(([, page]) => page)
  expect(pages.toSorted()).toEqual(globSync('docs/**/*.md').toSorted())
})
