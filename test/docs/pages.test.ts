import { execFile } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { blocksOf, programsOf } from '../../docs/.vitepress/code/blocks.ts'
import { pageFiles } from '../../docs/.vitepress/navigation.ts'
import { defaultSettings, mockDefaults } from '../../mock/state/defaults.ts'
import * as client from '../../src/index.ts'
import { runsLongTests, sampled } from '../support/long-tests.ts'
import { packageSources } from '../support/programs/package-sources.ts'

const run = promisify(execFile)
const pages = ['README.md', 'CONTRIBUTING.md', ...pageFiles()]
const programs = pages.flatMap((page) =>
  programsOf(page, readFileSync(page, 'utf8')).map((program) => ({ ...program, page })),
)
const running = programs.filter(({ isRun }) => isRun)

let folder = ''

beforeAll(() => {
  mkdirSync('scratch', { recursive: true })
  folder = mkdtempSync('scratch/docs-')
  for (const { file, text } of programs) writeFileSync(join(folder, file), text)
})

afterAll(() => rmSync(folder, { recursive: true }))

it('finds the programs of the pages', () => {
  expect(running.map(({ page }) => page)).toContain('README.md')
  expect(running.length).toBeGreaterThan(15)
})

it('names the packages that the mock needs for Parquet, below the programs that need them', () => {
  const needing = running.filter(({ text }) =>
    /queryParquet\(|format: 'parquet'|runConformance\(/.test(text),
  )
  expect(needing.length).toBeGreaterThan(3)
  const silent = needing.filter(
    ({ page }) => !readFileSync(page, 'utf8').includes('hyparquet-writer'),
  )
  expect(silent.map(({ page }) => page)).toEqual([])
})

it('gives each program a file of its own', () => {
  const files = programs.map(({ file }) => file)
  expect(files).toEqual([...new Set(files)])
})

const isTask = (page: string) => page.startsWith('docs/tasks/')

// PGlite takes seconds to start.
const sample = sampled(
  running.filter(({ page, text }) => !isTask(page) && (runsLongTests || !text.includes('pglite'))),
  10,
)

it.each(sample)('runs the code of $page ($file)', async ({ file, page, parts }) => {
  const { stdout, stderr } = await run(process.execPath, [...packageSources, join(folder, file)])
  expect(stderr).toBe('')
  const shown = parts.flatMap(({ block }) => outputBelow(page, block.code))
  expect(shown.filter((output) => !patternOf(output).test(stdout))).toEqual([])
})

it.each(running.filter(({ page }) => isTask(page)))(
  'shows the whole output of $page below its blocks',
  async ({ file, page, parts }) => {
    const { stdout, stderr } = await run(process.execPath, [...packageSources, join(folder, file)])
    expect(stderr).toBe('')
    const shown = parts.map(({ block }) => outputBelow(page, block.code))
    expect(shown).not.toContainEqual([])
    expect(stdout).toMatch(new RegExp(`${patternOf(shown.flat().join('')).source}$`))
  },
)

it.each(pageFiles().filter(isTask))(
  'consists of one program, and says how to run it: %s',
  (page) => {
    const text = readFileSync(page, 'utf8')
    expect(programsOf(page, text)).toHaveLength(1)
    expect(text).toContain('(../start/quickstart.md#1-install), save the code below')
  },
)

/** Returns the `text` block directly below a block of code on its page. Other `text` blocks are examples. */
function outputBelow(page: string, code: string): string[] {
  const [, next = ''] = readFileSync(page, 'utf8').split(`${code}\`\`\`\n\n`)
  const [first] = blocksOf(next)
  return first?.language === 'text' && first.line === 2 ? [first.code] : []
}

/** Returns a pattern for an output in which `…` stands for any text. */
function patternOf(output: string): RegExp {
  const parts = output.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^]*')}`, 'm')
}

it('lists every option of the mock among the open points', () => {
  const page = readFileSync('docs/reference/assumptions.md', 'utf8')
  const options = Object.keys({ ...mockDefaults, ...defaultSettings })
  expect(options.filter((option) => !page.includes(`\`${option}\``))).toEqual([])
})

it('names only existing files and exports among the open points', () => {
  const page = readFileSync('docs/reference/assumptions.md', 'utf8')
  const files = [...page.matchAll(/`((?:src|mock)\/[\w/.-]+)`/g)].map(([, file = '']) => file)
  expect(files.filter((file) => globSync(file).length === 0)).toEqual([])
  const names = [...page.matchAll(/`([a-zA-Z]+)`(?=[^|]*\|\n)/g)].map(([, name = '']) => name)
  const known = { ...mockDefaults, ...defaultSettings, ...client }
  expect(names.filter((name) => !(name in known))).toEqual([])
})
