import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { judge, prepare } from '../../scripts/receivers/judge.ts'
import {
  correctReceivers,
  languages,
  mistakenReceivers,
} from '../../scripts/receivers/receivers.ts'

const target = mkdtempSync(join(tmpdir(), 'receivers-'))
afterAll(() => rmSync(target, { recursive: true }))

it('has forty mistaken receivers and twelve correct ones in four languages', () => {
  expect(mistakenReceivers.length).toBeGreaterThanOrEqual(40)
  expect(new Set(mistakenReceivers.map(({ mistake }) => mistake)).size).toBe(
    mistakenReceivers.length,
  )
  expect(correctReceivers.length).toBe(12)
  expect(Object.keys(languages)).toHaveLength(4)
})

/** One receiver of each language; `npm run lab receivers` runs all of them. */
const sample = [
  { language: 'TypeScript', style: 'express', mistake: 'serializes-again', only: ['body/escapes'] },
  { language: 'Python', style: 'queue', mistake: 'day-in-new-york', only: ['data/local-day-east'] },
  { language: 'Perl', style: 'forks', mistake: 'age-of-one-name', only: ['timestamp/old-svix'] },
  { language: 'Java', style: 'queue', mistake: 'stores-the-old-slug', only: ['source'] },
] as const

describe.each(sample)('a receiver in $language', ({ language, style, mistake, only }) => {
  it(`passes, and fails when it ${mistake}`, async ({ skip }) => {
    const reason = prepare(language, target)
    skip(reason !== undefined, reason)
    const correct = await judge({ language, style }, target, ['signature/valid', ...only])
    expect(correct.failed).toBe(0)
    const mistaken = await judge({ language, style, mistake }, target, ['signature/valid', ...only])
    expect(mistaken.failed).toBe(1)
    expect(mistaken.results[0]?.outcome).toBe('passed')
  })
})
