import { expect, it } from 'vitest'
import { type CertifyOptions, certify } from '../../src/certify/index.ts'
import { contentMutants, storageMutants } from './mutants/contents.ts'
import { deliveryMutants } from './mutants/deliveries.ts'
import { createMutant } from './mutants/mutant.ts'
import { signatureMutants, timestampMutants } from './mutants/signatures.ts'

const mutants = [
  ...signatureMutants,
  ...timestampMutants,
  ...deliveryMutants,
  ...contentMutants,
  ...storageMutants,
]

it('has at least forty receivers with different names', () => {
  const names = mutants.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThanOrEqual(40)
})

it.each(mutants)('fails a receiver that $name', async (mutant) => {
  const { results } = await certify(createMutant(mutant).options())
  const failed = results.filter(({ outcome }) => outcome === 'failed')
  if (process.env.SHOW)
    console.log(mutant.name, failed.map(({ id, reason }) => `${id}: ${reason}`).slice(0, 6))
  expect(failed.length).toBeGreaterThan(0)
  expect(failed[0]?.reason).toMatch(/^Expected /)
  expect(failed[0]?.remedy).toMatch(/[.]$/)
})

it('fails most of them without a probe', async () => {
  let count = 0
  for (const mutant of mutants) {
    const { probe: _, ...options }: CertifyOptions = createMutant(mutant).options()
    const { failed } = await certify(options)
    if (failed > 0) count += 1
  }
  console.log(count, mutants.length)
  expect(count).toBeGreaterThan(mutants.length / 2)
})
