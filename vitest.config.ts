import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    coverage: {
      // Printed, not chased: what runs in other processes and in browsers does not count.
      enabled: process.env.CI !== undefined,
      include: ['src/**', 'mock/**'],
      reporter: ['text-summary'],
    },
  },
})
