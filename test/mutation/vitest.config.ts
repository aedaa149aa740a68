import { defineConfig } from 'vitest/config'

/** For the mutation tests alone: the tests of one group, which `mutate.ts` names. */
export default defineConfig({
  test: {
    include: (process.env['MUTATION_TESTS'] ?? '').split(','),
    // Half of the time would go into starting a process for every file.
    isolate: false,
    // What hangs by a mutant is noticed soon, and Stryker need not start the process again.
    testTimeout: 3000,
  },
})
