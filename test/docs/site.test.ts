import { describe, expect, it } from 'vitest'
import { rowAnchor, slugify } from '../../docs/.vitepress/markdown/slugify.ts'
import { urlOf } from '../../docs/.vitepress/repository.ts'
import { sectionAnchors } from '../../docs/.vitepress/sections.ts'
import { summaryOf } from '../../docs/.vitepress/summary.ts'

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

it('describes a page by its first sentence, without markup', () => {
  const { title, sentence } = summaryOf('docs/testing/faults.md')
  expect(title).toBe('Faults')
  expect(sentence).toMatch(/^[^\]()]+\.$/)
})

it('describes a page that shows another file', () => {
  expect(summaryOf('docs/trust/migration.md').title).toBe('Migration and changelog')
})
