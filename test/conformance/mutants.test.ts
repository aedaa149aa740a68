import { expect, it } from 'vitest'
import { before, casesFor, changeResponses, rejectCalls, runMutant } from './mutant.ts'
import { mutants } from './mutants.ts'

it('has at least forty mutants with unique names', () => {
  const names = mutants.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThanOrEqual(40)
})

it.each([
  ['requests', before(/./, () => {})],
  ['responses', changeResponses(/./, () => {})],
  ['rejections', rejectCalls(/./, () => false)],
])('finds no violations when no %s are changed', async (_, between) => {
  const { results } = await runMutant({ between }, { assumptions: true })
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
})

it.each(mutants)('finds a mock that $name', async (mutant) => {
  const { results, failed } = await runMutant(mutant, {
    only: casesFor(mutant),
    bail: true,
    assumptions: true,
  })
  expect(failed).toBe(1)
  expect(results.at(-1)?.reason).toMatch(/^Expected /)
})

it('has a mutant for each case', async () => {
  const { results } = await runMutant({}, { assumptions: true })
  const idle = new Set(results.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id))
  for (const mutant of mutants) {
    const found = await runMutant(mutant, { only: casesFor(mutant), assumptions: true })
    for (const { id, outcome } of found.results) if (outcome === 'failed') idle.delete(id)
  }
  expect([...idle]).toEqual([])
}, 60_000)
