import { expect, it } from 'vitest'
import { specificationRules } from '../../../src/conformance/rules/rules.ts'
import { runsAllItems, sampled } from '../../support/long-tests.ts'
import { casesFor, type Mutant, runMutant } from '../mutant.ts'
import { subtleClasses, subtleMutants } from './subtle.ts'
import { variations } from './variations.ts'

const killed = subtleMutants.filter(({ survives }) => survives === undefined)

const run = (mutant: Mutant) =>
  runMutant(mutant, { only: casesFor(mutant), bail: true, assumptions: mutant.assumes ?? false })

it('has at least 200 mutants with names and rules, and 60 variations', () => {
  const names = [...subtleMutants, ...variations].map(({ name }) => name)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  expect(subtleMutants.length).toBeGreaterThanOrEqual(200)
  expect(variations.length).toBeGreaterThanOrEqual(60)
  const rules = specificationRules.map(({ id }) => id)
  expect(subtleMutants.filter(({ rule = '' }) => !rules.includes(rule))).toEqual([])
  expect(Object.values(subtleClasses).filter(({ length }) => length < 10)).toEqual([])
})

const found = new Set<string>()

it.each(sampled(killed, 24))('finds a mock that $name', async (mutant) => {
  const { results, failed } = await run(mutant)
  expect(failed).toBe(1)
  expect(results.at(-1)?.reason).toMatch(/^Expected /)
  found.add(mutant.name)
})

it.runIf(runsAllItems)('finds at least 95 % of the mutants', () => {
  expect(found.size / subtleMutants.length).toBeGreaterThanOrEqual(0.95)
})

it.each(sampled(variations, 20))('accepts a mock that $name', async (mutant) => {
  const { results } = await run(mutant)
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
})
