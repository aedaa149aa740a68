import { execFile } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pageFiles } from '../../docs/.vitepress/navigation.ts'
import { defaults, mockDefaults } from '../../mock/state/defaults.ts'
import * as client from '../../src/index.ts'
import { packageSources } from '../support/package-sources.ts'

const run = promisify(execFile)
const pages = ['README.md', 'CONTRIBUTING.md', ...pageFiles()]
const programs = pages.filter((page) => programOf(page) !== '')

/** Returns the program of a page: its `ts` blocks, one after the other. */
function programOf(page: string): string {
  return blocksOf(page, 'ts').join('\n')
}

/** Returns the content of each code block of a page in a language. */
function blocksOf(page: string, language: string): string[] {
  const [, ...blocks] = readFileSync(page, 'utf8').split(`\n\`\`\`${language}\n`)
  return blocks.map((block) => block.slice(0, block.indexOf('\n```') + 1))
}

const recipe = blocksOf('docs/guides/unknown-outcomes.md', 'ts book-once.ts').join('\n')

let folder = ''

beforeAll(() => {
  mkdirSync('scratch', { recursive: true })
  folder = mkdtempSync('scratch/docs-')
  for (const page of programs) writeFileSync(fileOf(page), programOf(page))
  writeFileSync(join(folder, 'book-once.ts'), recipe)
  for (const page of pages) {
    // Vitest examples are only compiled here.
    const tests = blocksOf(page, 'ts vitest').join('\n')
    if (tests !== '') writeFileSync(fileOf(page).replace('.ts', '.test.ts'), tests)
  }
  const settings = { extends: '../../tsconfig.json', include: ['*.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
})

afterAll(() => rmSync(folder, { recursive: true }))

function fileOf(page: string): string {
  return join(folder, page.replaceAll(/[\\/]/g, '-').replace(/\.md$/, '.ts'))
}

it('finds the programs of the pages', () => {
  expect(programs).toContain('README.md')
  expect(programs.length).toBeGreaterThan(5)
})

it.each(programs)('runs the code of %s', async (page) => {
  const { stderr } = await run(process.execPath, [...packageSources, fileOf(page)])
  expect(stderr).toBe('')
})

it('has the same booking recipe as the quickstart', () => {
  const run = readFileSync('examples/support/book-once.ts', 'utf8')
  expect(recipe).toBe(run)
})

it('shows code that compiles', async () => {
  const output = await run('npx', ['tsc', '--project', folder]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
  // `npm run types` reports the errors of the sources.
  expect(output.split('\n').filter((line) => line.startsWith('scratch'))).toEqual([])
}, 60_000)

it('lists every option of the mock among the open points', () => {
  const page = readFileSync('docs/reference/assumptions.md', 'utf8')
  const options = Object.keys({ ...mockDefaults, ...defaults })
  expect(options.filter((option) => !page.includes(`\`${option}\``))).toEqual([])
})

it('names only existing files and exports among the open points', () => {
  const page = readFileSync('docs/reference/assumptions.md', 'utf8')
  const files = [...page.matchAll(/`((?:src|mock)\/[\w/.-]+)`/g)].map(([, file = '']) => file)
  expect(files.filter((file) => globSync(file).length === 0)).toEqual([])
  const names = [...page.matchAll(/`([a-zA-Z]+)`(?=[^|]*\|\n)/g)].map(([, name = '']) => name)
  const known = { ...mockDefaults, ...defaults, ...client }
  expect(names.filter((name) => !(name in known))).toEqual([])
})
