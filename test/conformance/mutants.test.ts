import { expect, it } from 'vitest'
import { answering, before, refusing, runMutant } from './mutant.ts'
import { mutants } from './mutants.ts'

it('knows at least forty ways to break the specification, each once', () => {
  const names = mutants.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThanOrEqual(40)
})

it.each([
  ['requests', before(/./, () => {})],
  ['answers', answering(/./, () => {})],
  ['refusals', refusing(/./, () => false)],
])('finds nothing behind what changes no %s', async (_, between) => {
  const { results } = await runMutant({ name: 'keeps the specification', only: [], between })
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
})

it.each(mutants)('finds a mock that $name', async (mutant) => {
  const { results, failed } = await runMutant(mutant, { only: mutant.only, bail: true })
  expect(failed).toBe(1)
  expect(results.at(-1)?.reason).toMatch(/^Expected /)
})

it('breaks the specification in a way that each case finds', async () => {
  const { results } = await runMutant({ name: 'keeps the specification', only: [] })
  const idle = new Set(results.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id))
  for (const mutant of mutants) {
    const found = await runMutant(mutant, { only: mutant.only })
    for (const { id, outcome } of found.results) if (outcome === 'failed') idle.delete(id)
  }
  expect([...idle]).toEqual([])
}, 60_000)
