import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Examples import the package by its name.
  resolve: { tsconfigPaths: true },
  test: {
    include: ['test/**/*.test.ts'],
    // `npm run lab long` runs them, and all items of the lists that the other tests sample.
    exclude: process.env['LONG_TESTS'] === undefined ? ['test/**/*.long.test.ts'] : [],
    // Limits that only a test that hangs reaches, on any machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // Programs that tests start load hundreds of files of the mock.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'scratch/compile-cache') },
    // Many tests wait for processes, browsers and sockets; the default leaves one core free.
    maxWorkers: '150%',
    coverage: {
      // For information only: code that runs in other processes and in browsers is not counted.
      include: ['src/**', 'mock/**'],
      reporter: ['text-summary'],
    },
  },
})
