import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { blocksOf } from '../../docs/.vitepress/code/blocks.ts'
import { chromium, withoutChromium } from '../support/programs/chromium.ts'
import { install } from '../support/programs/install.ts'

/** Returns the code blocks of the guide for a test runner. */
function recipe(info: `${'js' | 'ts'} ${string}`): string {
  const [language, runner = ''] = info.split(' ')
  const blocks = blocksOf(readFileSync('docs/testing/runners.md', 'utf8'))
  const shown = blocks.filter(
    (block) => block.language === language && block.words.includes(runner),
  )
  return shown.map(({ code }) => code).join('\n')
}

/** Returns the first code block of a page with a word. */
function guideBlock(page: string, word: string): string {
  return blocksOf(readFileSync(page, 'utf8')).find(({ words }) => words.includes(word))?.code ?? ''
}

let folder = ''

beforeAll(() => {
  mkdirSync('scratch', { recursive: true })
  folder = mkdtempSync('scratch/recipes-')
  install(folder)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
})

afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a command in the folder and returns its output and exit code. */
function run(command: string, ...parts: string[]): { code: number | null; output: string } {
  const { FORCE_COLOR: _, NODE_OPTIONS: __, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(command, parts, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...env, NO_COLOR: '1', CI: '1' },
  })
  return { code: status, output: stdout + stderr }
}

/** Returns a recipe whose tests fail. */
function failing(source: string): string {
  return source.replaceAll("'confirmed'", "'cancelled'").replace('toHaveCount(', 'toHaveCount(1 + ')
}

/** Expects the explanation of each team, with a file that recreates it. */
function expectExplanations(output: string, count: number): void {
  expect(output.match(/The team at .*, received 1 request\./g)).toHaveLength(count)
  const files = [...output.matchAll(/Reproduction: (\S+\.cjs)/g)].map(([, file = '']) => file)
  expect(files).toHaveLength(count)
  for (const file of files) {
    expect(readFileSync(file, 'utf8')).toContain('exports.team = createMock(')
    rmSync(dirname(file), { recursive: true })
  }
}

function runJest(source: string, options: { resetModules?: boolean } = {}) {
  writeFileSync(join(folder, 'jest.test.cjs'), source)
  const jest = join(process.cwd(), 'node_modules/jest/bin/jest.js')
  const settings = JSON.stringify({ transform: {}, testMatch: ['**/jest.test.cjs'], ...options })
  return run(process.execPath, jest, '--config', settings)
}

it.each([false, true])('runs the recipe for Jest (resetModules: %s)', (resetModules) => {
  const { code, output } = runJest(recipe('js jest'), { resetModules })
  expect(output).toContain('Tests:       2 passed, 2 total')
  expect(code).toBe(0)
})

it('explains the team of a failed test with Jest', () => {
  const { code, output } = runJest(failing(recipe('js jest')))
  expect(code).toBe(1)
  expectExplanations(output, 2)
})

it('shows what a team received instead with Jest', () => {
  const source = recipe('js jest').replace(
    '{ times: 1 }',
    '{ body: { booking_key: expect.any(Number) } }',
  )
  const { code, output } = runJest(source)
  expect(code).toBe(1)
  expect(output).toContain('body.booking_key: expected "Any<Number>", received "bk_confirm"')
  expectExplanations(output, 1)
})

it('runs the recipe for Jest with ES modules', () => {
  writeFileSync(join(folder, 'jest-esm.test.js'), recipe('js jest-esm'))
  const jest = join(process.cwd(), 'node_modules/jest/bin/jest.js')
  const settings = JSON.stringify({ transform: {}, testMatch: ['**/jest-esm.test.js'] })
  const node = [process.execPath, '--experimental-vm-modules', '--no-warnings'] as const
  const { code, output } = run(...node, jest, '--config', settings)
  expect(output).toContain('Tests:       1 passed, 1 total')
  expect(code).toBe(0)
})

it('explores with Jest, in several files at the same time', () => {
  const source = guideBlock('docs/testing/explore.md', 'vitest')
  const common = source
    .replaceAll(/^import (\{.*\}) from ('health-lab-sdk.*')$/gm, 'const $1 = require($2)')
    .replaceAll(/^import .*\n/gm, '')
    .replace('Map<string, string>', 'Map')
  for (const name of ['one', 'two']) {
    writeFileSync(join(folder, `explore-${name}.test.cjs`), common)
  }
  const jest = join(process.cwd(), 'node_modules/jest/bin/jest.js')
  const settings = JSON.stringify({ transform: {}, testMatch: ['**/explore-*.test.cjs'] })
  const { code, output } = run(process.execPath, jest, '--maxWorkers=2', '--config', settings)
  expect(code).toBe(1)
  expect(output).toContain('Tests:       2 failed, 2 total')
  expect(output.match(/explore\.replay\(/g)?.length).toBeGreaterThanOrEqual(2)
})

it('runs the recipe for node:test', () => {
  writeFileSync(join(folder, 'node.test.ts'), recipe('ts node-test'))
  const { code, output } = run(process.execPath, '--test', 'node.test.ts')
  expect(output).toMatch(/pass 2\b/)
  expect(code).toBe(0)
})

it('explains the team of a failed test with node:test', () => {
  writeFileSync(join(folder, 'node.test.ts'), failing(recipe('ts node-test')))
  const { code, output } = run(process.execPath, '--test', 'node.test.ts')
  expect(code).toBe(1)
  expectExplanations(output, 2)
})

it('runs the recipe for Vitest', () => {
  writeFileSync(join(folder, 'vitest.test.ts'), recipe('ts vitest'))
  const { code, output } = run('npx', 'vitest', 'run', '--root', '.', 'vitest.test.ts')
  expect(output).toMatch(/Tests {2}2 passed/)
  expect(code).toBe(0)
})

function runPlaywright(source: string) {
  writeFileSync(join(folder, 'page.spec.ts'), source)
  const launchOptions = { executablePath: chromium, args: ['--no-sandbox'] }
  // A failing expectation ends soon.
  const expectation = { timeout: 1000 }
  const settings = {
    testDir: '.',
    testMatch: 'page.spec.ts',
    // Browsers start slowly on a busy machine.
    timeout: 240_000,
    use: { launchOptions },
    expect: expectation,
  }
  writeFileSync(
    join(folder, 'playwright.config.ts'),
    `export default ${JSON.stringify(settings)}\n`,
  )
  // Playwright would read the paths of this repository, and with them the sources instead of the package.
  writeFileSync(join(folder, 'tsconfig.json'), '{}')
  return run('npx', 'playwright', 'test')
}

// Skipped only if the browser is not installed; `.ci/run` installs it.
it.skipIf(!chromium)(
  `runs the recipe for Playwright, and explains the team of a failed test (skipped if ${withoutChromium})`,
  () => {
    const passing = runPlaywright(recipe('ts playwright'))
    expect(passing.output).toContain('1 passed')
    expect(passing.code).toBe(0)
    const { code, output } = runPlaywright(failing(recipe('ts playwright')))
    expect(code).toBe(1)
    expect(output).toMatch(/attachment #1: team .*\n +The team at .*, received 1 request\./)
    expect(output).toMatch(/attachment #2: inspector \(image\/png\)/)
    const [, picture = ''] = /(test-results\S+\.png)/.exec(output) ?? []
    expect(readFileSync(join(folder, picture)).subarray(1, 4).toString()).toBe('PNG')
  },
)

it.skipIf(!chromium)(
  `fails a Playwright test whose fault was never used, in a CommonJS project (skipped if ${withoutChromium})`,
  () => {
    writeFileSync(join(folder, 'package.json'), '{}')
    const { code, output } = runPlaywright(`
      import { test } from 'health-lab-sdk/mock/playwright'
      test('forgets its fault', ({ team }) => team.faults.add({ on: 'insurance.create', then: 'html' }))
      test('passes', ({ team }) => team.users.create())`)
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    expect(output).toContain('Expected every fault to affect a request')
    expect(output).toContain('1 passed')
    expect(code).toBe(1)
  },
)

it('keeps a Playwright test skipped that adds a fault and then skips itself', () => {
  const { code, output } = runPlaywright(`
    import { test } from 'health-lab-sdk/mock/playwright'
    test('skips itself', async ({ team }) => {
      await team.faults.add({ on: 'insurance.create', then: 'html' })
      test.skip()
    })`)
  expect(output).toContain('1 skipped')
  expect(code).toBe(0)
})
