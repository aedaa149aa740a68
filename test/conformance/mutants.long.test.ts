import { expect, it } from 'vitest'
import { specificationRules } from '../../src/conformance/rules/rules.ts'
import { runsLongTests, sampled } from '../support/long-tests.ts'
import { before, casesFor, changeResponses, type Mutant, rejectCalls, runMutant } from './mutant.ts'
import { mutants } from './mutants.ts'

const violations = mutants.filter(({ rule }) => rule !== undefined)
const survivors = violations.filter(({ survives }) => survives !== undefined)
// All of them take minutes, with npm run lab mutants. These are every tenth violation and every tenth control.
const isTenth = (_: Mutant, index: number) => index % 10 === 0
const killed = violations.filter((mutant) => !survivors.includes(mutant))
const controls = mutants.filter(({ rule }) => rule === undefined)
const sample = sampled(killed.filter(isTenth), 4)
const sampleOfControls = sampled(controls.filter(isTenth), 4)

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

it.runIf(runsLongTests)(
  'finds no violations when requests and responses pass through the wrappers of mutants unchanged',
  async () => {
    const wrappers = [
      before(/./, () => {}),
      changeResponses(/./, () => {}),
      rejectCalls(/./, () => false),
    ]
    const between: NonNullable<Mutant['between']> = (fetch, key) =>
      wrappers.reduce((inner, wrap) => wrap(inner, key), fetch)
    const { results } = await runMutant({ between }, { assumptions: true })
    expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  },
)

const run = (mutant: Mutant) =>
  runMutant(mutant, { only: casesFor(mutant), bail: true, assumptions: mutant.assumes ?? false })

it.each(sample)('finds a mock that $name', async (mutant) => {
  const { results, failed } = await run(mutant)
  expect(failed).toBe(1)
  expect(results.at(-1)?.reason).toMatch(/^Expected /)
})

it('accepts a mock that returns Parquet files with extended headers', async () => {
  const extended = controls.find(
    ({ name }) => name === 'returns Parquet files with extended headers',
  )
  const { results } = await runMutant(extended ?? {}, { only: ['4.11/parquet'] })
  expect(results.map(({ outcome }) => outcome)).toEqual(['passed'])
  expect(extended).toBeDefined()
})

it.each(sampleOfControls)('accepts a mock that $name', async (mutant) => {
  const { results } = await run(mutant)
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
})
