import { expect, it } from 'vitest'
import { certify } from '../../src/certify/index.ts'
import { sampled } from '../support/long-tests.ts'
import { contentMutants, storageMutants } from './mutants/contents.ts'
import { deliveryMutants } from './mutants/deliveries.ts'
import { createMutant } from './mutants/mutant.ts'
import { signatureMutants, timestampMutants } from './mutants/signatures.ts'

const contents = ['data', 'historical', 'hypnogram', 'resource', 'source', 'connection', 'unknown']
const storage = ['batch', 'order', 'endpoint', 'connection']

/** The topics that find the mutants of a group; the others would only take longer. */
const groups = [
  { of: signatureMutants, only: ['signature', 'rotation', 'svix', 'body'] },
  { of: timestampMutants, only: ['timestamp'] },
  { of: deliveryMutants, only: [] },
  { of: contentMutants, only: [...contents, ...storage] },
  { of: storageMutants, only: ['body', 'data', 'duplicate', ...storage] },
]
const mutants = groups.flatMap(({ of, only }) => of.map((mutant) => ({ ...mutant, only })))

it('has at least forty receivers with different names', () => {
  const names = mutants.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThanOrEqual(40)
})

it.each(sampled(mutants, 4))('fails a receiver that $name', async (mutant) => {
  const { results } = await certify({
    ...createMutant(mutant).options(),
    only: mutant.only,
  })
  const failed = results.filter(({ outcome }) => outcome === 'failed')
  expect(failed.length).toBeGreaterThan(0)
  expect(failed[0]?.reason).toMatch(/^(Expected|The receiver) /)
  expect(failed[0]?.remedy).toMatch(/[.]$/)
})
