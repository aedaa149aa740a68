import { defineConfig } from 'vitest/config'
import { testFiles } from './environment.ts'

/** The configuration for the tests of one group. */
export default defineConfig({
  // The tests of `explore` import the package by name.
  resolve: { tsconfigPaths: true },
  test: {
    include: testFiles(),
    setupFiles: ['scripts/mutation/setup.ts'],
    // A new process for each file would double the time.
    isolate: false,
    // Tests that hang because of a mutant fail early, so that Stryker can keep the process.
    testTimeout: 10_000,
  },
})
