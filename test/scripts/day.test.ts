import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { Transcript } from '../../scripts/day/transcript.ts'

it('prints each step with its findings, skipped steps with the reason, and rejects at a failure', async () => {
  const lines: string[] = []
  const transcript = new Transcript((line) => lines.push(stripVTControlCharacters(line)))
  transcript.part('Morning')
  await transcript.step('The mock is ready', async () => '2 users\n1 order\n')
  transcript.skip('Python books', 'python3 is not installed')
  const failing = transcript.step('The receiver accepts', () => Promise.reject(new Error('401')))
  await expect(failing).rejects.toThrow('401')
  transcript.end()
  expect(lines).toEqual([
    '\nMorning',
    '  ✓ The mock is ready',
    '      2 users',
    '      1 order',
    '  - Python books: skipped, python3 is not installed',
    '  ✗ The receiver accepts',
    '\n1 steps passed.',
  ])
})
