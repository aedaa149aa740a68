import { describe, expect, it } from 'vitest'
import { nestChangelog } from '../../docs/.vitepress/markdown/changelog.ts'
import { addBreaks } from '../../docs/.vitepress/markdown/names.ts'
import { rowAnchor, slugify } from '../../docs/.vitepress/markdown/slugify.ts'
import { urlOf } from '../../docs/.vitepress/repository.ts'
import { sectionAnchors } from '../../docs/.vitepress/sections.ts'
import { summaryOf } from '../../docs/.vitepress/summary.ts'
import { wordsOf } from '../../docs/.vitepress/theme/address-words.ts'

describe('the repository', () => {
  it.each([
    'git+https://github.com/team/name.git',
    'https://github.com/team/name',
    'github:team/name',
    'team/name',
  ])('has a web page for %s', (repository) => {
    expect(urlOf(repository)).toBe('https://github.com/team/name')
    expect(urlOf({ url: repository })).toBe('https://github.com/team/name')
  })

  it('has none while package.json names none', () => {
    expect(urlOf(undefined)).toBeUndefined()
  })
})

describe('anchors', () => {
  it.each([
    { heading: 'A new endpoint', anchor: 'a-new-endpoint' },
    { heading: '4.8 Book: phlebotomy_appointment!', anchor: '48-book-phlebotomy_appointment' },
  ])('are those of git hosts for $heading', ({ heading, anchor }) => {
    expect(slugify(heading)).toBe(anchor)
  })

  it.each([
    { cell: 'Booking keys (4.8)', anchor: 'booking-keys' },
    { cell: 'Further types of events (part 6)', anchor: 'further-types-of-events' },
    { cell: 'Unit of `expires_at` (2.4)', anchor: 'unit-of-expires_at' },
  ])('of rows leave out the section of $cell', ({ cell, anchor }) => {
    expect(rowAnchor(cell)).toBe(anchor)
  })

  it('lead to the sections of the specification', () => {
    expect(sectionAnchors().get('4.8')).toMatch(/^48-/)
    expect(sectionAnchors().get('9')).toMatch(/^9-/)
  })
})

describe('long names', () => {
  it.each([
    { name: 'AuthenticationError', parts: ['Authentication', 'Error'] },
    { name: 'authentication_failed', parts: ['authentication_', 'failed'] },
    { name: 'insured.address.first_line', parts: ['insured.', 'address.', 'first_', 'line'] },
    { name: 'Open&lt;InsuranceInput&gt;', parts: ['Open&lt;', 'Insurance', 'Input&gt;'] },
    { name: '/v3/order/{order_id}/pdf', parts: ['/v3/', 'order/', '{order_', 'id}/', 'pdf'] },
  ])('wrap between the words of $name', ({ name, parts }) => {
    expect(addBreaks(name).split('<wbr>')).toEqual(parts)
  })

  it('wrap only from a given length', () => {
    expect(addBreaks('UnprocessableEntityError', 25)).toBe('UnprocessableEntityError')
    expect(addBreaks('UnprocessableEntityError', 24)).toContain('<wbr>')
  })

  it('do not wrap if they are short', () => {
    expect(addBreaks('userId: string, lab_test_id')).not.toContain('<wbr>')
  })
})

it.each([
  { path: '/guides/unknown-outcomes.html', words: 'unknown outcomes' },
  { path: '/404', words: '' },
  { path: '/%E0%A4%A', words: '' },
])('searches for "$words" if $path does not exist', ({ path, words }) => {
  expect(wordsOf(path)).toBe(words)
})

it('describes a page by its first sentence, without markup', () => {
  const { title, sentence } = summaryOf('docs/testing/faults.md')
  expect(title).toBe('Faults')
  expect(sentence).toMatch(/^[^\]()]+\.$/)
})

it('describes a page that shows another file', () => {
  expect(summaryOf('docs/trust/migration.md').title).toBe('Migration and changelog')
})

it('nests the versions of the changelog, without brackets', () => {
  const heading = (tag: string, content: string) => [
    { type: 'heading_open', tag },
    { type: 'inline', content, children: [{ content }] },
    { type: 'heading_close', tag },
  ]
  const tokens = [
    ...heading('h2', '[Before]'),
    ...heading('h2', 'Changelog'),
    ...heading('h2', '[0.2.0] - 2026-12-01'),
  ]
  const push = (_name: string, rule: (state: object) => void) => rule({ tokens })
  // The function uses nothing else of the renderer.
  nestChangelog({ core: { ruler: { push } } } as never)
  const expected = [
    ...['h2', '[Before]', 'h2'],
    ...['h2', 'Changelog', 'h2'],
    ...['h3', '0.2.0 - 2026-12-01', 'h3'],
  ]
  expect(tokens.map(({ tag, content }) => tag ?? content)).toEqual(expected)
  // The page shows the children.
  expect(tokens.map(({ tag, children }) => tag ?? children?.[0]?.content)).toEqual(expected)
})
