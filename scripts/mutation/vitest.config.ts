import { defineConfig } from 'vitest/config'
import { testFiles } from './environment.ts'

/** For the mutation tests alone: the tests of one group. */
export default defineConfig({
  test: {
    include: testFiles(),
    setupFiles: ['scripts/mutation/setup.ts'],
    // Half of the time would go into starting a process for every file.
    isolate: false,
    // What hangs by a mutant is noticed soon, and Stryker need not start the process again.
    testTimeout: 5000,
  },
})
