import { expect, it, vi } from 'vitest'
import { conformanceCases } from '../../src/conformance/index.ts'
import { specificationRules } from '../../src/conformance/rules.ts'
import { before, casesFor, changeResponses, type Mutant, rejectCalls, runMutant } from './mutant.ts'
import { mutants } from './mutants.ts'

// All cases take several seconds.
vi.setConfig({ testTimeout: 120_000 })

const violations = mutants.filter(({ rule }) => rule !== undefined)
const survivors = violations.filter(({ survives }) => survives !== undefined)
// All of them take minutes, with npm run mutants. These are every twentieth violation and every twentieth control.
const sample = violations
  .filter((mutant) => !survivors.includes(mutant))
  .filter((_, index) => index % 20 === 0)
const sampleOfControls = mutants
  .filter(({ rule }) => rule === undefined)
  .filter((_, index) => index % 20 === 0)

it('has at least 250 mutants, each with a name and the rule that it breaks', () => {
  const names = mutants.map(({ name }) => name)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  expect(violations.length).toBeGreaterThanOrEqual(250)
  const rules = specificationRules.map(({ id }) => id)
  expect(violations.filter(({ rule = '' }) => !rules.includes(rule))).toEqual([])
})

it('finds at least 97 % of the mutants', () => {
  expect(survivors.length / violations.length).toBeLessThanOrEqual(0.03)
})

it.each([
  ['requests', before(/./, () => {})],
  ['responses', changeResponses(/./, () => {})],
  ['rejections', rejectCalls(/./, () => false)],
])('finds no violations when no %s are changed', async (_, between) => {
  // The tests of the suite run all cases without changes.
  const only = conformanceCases.filter((_, at) => at % 5 === 0).map(({ id }) => id)
  const { results } = await runMutant({ between }, { assumptions: true, only })
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
})

const run = (mutant: Mutant) =>
  runMutant(mutant, { only: casesFor(mutant), bail: true, assumptions: mutant.assumes ?? false })

it.each(sample)('finds a mock that $name', async (mutant) => {
  const { results, failed } = await run(mutant)
  expect(failed).toBe(1)
  expect(results.at(-1)?.reason).toMatch(/^Expected /)
})

it.each(sampleOfControls)('accepts a mock that $name', async (mutant) => {
  const { results } = await run(mutant)
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
})
