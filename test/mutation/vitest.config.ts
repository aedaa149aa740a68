import { defineConfig } from 'vitest/config'

/** For the mutation tests alone: the tests of one group, which `run.ts` names. */
export default defineConfig({
  test: {
    include: (process.env['MUTATION_TESTS'] ?? '').split(','),
    testTimeout: 20_000,
  },
})
