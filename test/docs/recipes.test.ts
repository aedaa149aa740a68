import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { chromium, withoutChromium } from '../support/chromium.ts'
import { install } from '../support/install.ts'

const guide = readFileSync('docs/testing-with-the-mock.md', 'utf8')

/** Returns the code block of the guide for a test runner. */
function recipe(language: string): string {
  const block = guide.split(`\n\`\`\`${language}\n`)[1] ?? ''
  return block.slice(0, block.indexOf('\n```') + 1)
}

let folder = ''

beforeAll(() => {
  mkdirSync('scratch', { recursive: true })
  folder = mkdtempSync('scratch/recipes-')
  install(folder)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
}, 60_000)

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

it('runs the recipe for Jest', () => {
  writeFileSync(join(folder, 'jest.test.cjs'), recipe('js jest'))
  const jest = join(process.cwd(), 'node_modules/jest/bin/jest.js')
  const settings = JSON.stringify({ transform: {}, testMatch: ['**/jest.test.cjs'] })
  const { code, output } = run(process.execPath, jest, '--config', settings)
  expect(output).toContain('Tests:       2 passed, 2 total')
  expect(code).toBe(0)
}, 60_000)

it('runs the recipe for node:test', () => {
  writeFileSync(join(folder, 'node.test.ts'), recipe('ts node-test'))
  const { code, output } = run(process.execPath, '--test', 'node.test.ts')
  expect(output).toMatch(/pass 2\b/)
  expect(code).toBe(0)
}, 60_000)

it('runs the recipe for Vitest', () => {
  writeFileSync(join(folder, 'vitest.test.ts'), recipe('ts vitest'))
  const { code, output } = run('npx', 'vitest', 'run', '--root', '.', 'vitest.test.ts')
  expect(output).toMatch(/Tests {2}1 passed/)
  expect(code).toBe(0)
}, 60_000)

// Skipped only if the browser is not installed; `.ci/run` installs it.
it.skipIf(!chromium)(
  `runs the recipe for Playwright (skipped if ${withoutChromium})`,
  () => {
    writeFileSync(join(folder, 'page.spec.ts'), recipe('ts playwright'))
    const launchOptions = { executablePath: chromium, args: ['--no-sandbox'] }
    const settings = { testDir: '.', testMatch: 'page.spec.ts', use: { launchOptions } }
    writeFileSync(
      join(folder, 'playwright.config.ts'),
      `export default ${JSON.stringify(settings)}\n`,
    )
    const { code, output } = run('npx', 'playwright', 'test')
    expect(output).toContain('1 passed')
    expect(code).toBe(0)
  },
  60_000,
)
