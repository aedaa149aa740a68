import { expect, it } from 'vitest'
import { newFiles, nextVersion } from '../../scripts/release/version.ts'
import { version } from '../../src/version.ts'

it.each([
  ['major', '1.0.0'],
  ['minor', '0.2.0'],
  ['patch', '0.1.4'],
  ['2.0.1', '2.0.1'],
])('computes the version of a release: %s', (kind, next) => {
  expect(nextVersion('0.1.3', kind)).toBe(next)
})

it('rejects a release without a known kind', () => {
  expect(() => nextVersion('0.1.3', 'large')).toThrow("not 'large'")
})

it('writes the version to every file that contains it, and dates the changelog', () => {
  const { 'CHANGELOG.md': changelog = '', ...files } = newFiles(version, '9.8.7', '2026-12-01')
  for (const text of Object.values(files)) expect(text).toContain('9.8.7')
  expect(changelog.match(/^## .*/gm)?.slice(0, 2)).toEqual([
    '## [Unreleased]',
    '## [9.8.7] - 2026-12-01',
  ])
})
