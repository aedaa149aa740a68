import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import type { Reporter } from 'vitest/node'

const all = ['test/**/*.test.ts']
const files = globSync(all, { cwd: import.meta.dirname })
const textOf = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')

// `npm run lab long` runs the long tests, and all items of the lists of which `npm test` runs a sample.
const runsLongTests = process.env['LONG_TESTS'] !== undefined
const isLong = (file: string) => file.endsWith('.long.test.ts')
const isSampled = (file: string) => textOf(file).includes('support/long-tests.ts')
const excluded = files.filter((file) =>
  runsLongTests ? !isLong(file) && !isSampled(file) : isLong(file),
)

/** What changes the process for the tests that run after it in the same worker. */
const changesTheProcess =
  /setupServer|stubGlobal|stubEnv|useFakeTimers|resetModules|vi\.(?:mock|doMock)\(|happy-dom|globalThis\.\w+ =|process\.env\[.*\] =|Object\.prototype|Error\.prototype|memoryUsage|\bgc\(/

const alone = files.filter((file) => changesTheProcess.test(textOf(file)))

/** How many files are printed after a run, and only after a run of more. */
const slowestCount = 10

/** Prints the files that took the longest. */
const slowestFiles: Reporter = {
  onTestRunEnd(modules) {
    if (modules.length <= slowestCount) return
    const files = modules.map((module) => ({
      name: module.relativeModuleId,
      seconds: module.diagnostic().duration / 1000,
    }))
    const slowest = files
      .sort((one, other) => other.seconds - one.seconds)
      .slice(0, slowestCount)
      .map(({ name, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s  ${name}`)
    console.log(`\n Slowest files\n${slowest.join('\n')}`)
  },
}

export default defineConfig({
  // Examples import the package by its name.
  resolve: { tsconfigPaths: true },
  test: {
    // Files that share a worker load the package once.
    projects: [
      {
        extends: true,
        test: { name: 'shared', include: all, exclude: [...excluded, ...alone], isolate: false },
      },
      { extends: true, test: { name: 'alone', include: alone, exclude: excluded } },
    ],
    reporters: ['default', slowestFiles],
    // Limits that only a test that hangs reaches, on any machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    // Programs that tests start load hundreds of files of the mock.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'scratch/compile-cache') },
    // Many tests wait for processes, browsers and sockets. Vitest limits percentages to 100%.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    coverage: {
      // For information only: code that runs in other processes and in browsers is not counted.
      include: ['src/**', 'mock/**'],
      reporter: ['text-summary'],
    },
  },
})
