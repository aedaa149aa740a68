import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { blocksOf, programsOf } from '../../docs/.vitepress/code/blocks.ts'
import { pageFiles } from '../../docs/.vitepress/navigation.ts'

/** Languages whose blocks a reader may copy and run. */
const languages = [
  'ts',
  'tsx',
  'js',
  'jsx',
  'mjs',
  'typescript',
  'javascript',
  'python',
  'go',
  'java',
  'ruby',
  'csharp',
]

/** What may follow the language. Tests run all but the last two, which need a reason. */
const words = [
  ...['continues', 'vitest', 'jest', 'jest-esm', 'node-test', 'playwright'],
  ...['not-run', 'excerpt'],
]

const blocks = ['README.md', 'CONTRIBUTING.md', ...pageFiles()].flatMap((page) =>
  blocksOf(readFileSync(page, 'utf8'))
    .filter(({ language }) => languages.includes(language))
    .map((block) => ({ ...block, place: `${page}:${block.line}` })),
)

it('finds the blocks of the pages', () => {
  expect(blocks.length).toBeGreaterThan(60)
})

it.each(blocks)('says whether the block at $place runs', ({ language, words: given, reason }) => {
  const isKnown = (word: string) => words.includes(word) || word.endsWith('.ts')
  expect(given.filter((word) => !isKnown(word))).toEqual([])
  const isRun = given.every((word) => !['not-run', 'excerpt'].includes(word))
  const isTested =
    ['ts', 'python', 'go', 'java', 'ruby'].includes(language) ||
    given.some((word) => word.startsWith('jest'))
  expect(isRun && isTested, 'not-run or excerpt has a reason').toBe(reason === undefined)
})

describe('programs', () => {
  const fence = (info: string, code: string) => `\n\`\`\`${info}\n${code}\n\`\`\`\n`

  it('joins a block with those that continue it', () => {
    const page = fence('ts', 'a') + fence('ts vitest', 'b') + fence('ts continues', 'c')
    const programs = programsOf('guides/one.md', page)
    expect(programs.map(({ file, text, isRun }) => [file, text, isRun])).toEqual([
      ['guides-one.ts', 'a\nc\n', true],
      ['guides-one-vitest.ts', 'b\n', false],
    ])
  })

  it('begins a program with each block that continues none', () => {
    const programs = programsOf('one.md', fence('ts', 'a') + fence('ts', 'b'))
    expect(programs.map(({ file }) => file)).toEqual(['one.ts', 'one-1.ts'])
  })

  it('reads the reason of a block that does not run', () => {
    const [block] = blocksOf(fence('ts not-run (needs Redis)', 'a'))
    expect(block).toMatchObject({
      language: 'ts',
      words: ['not-run'],
      reason: 'needs Redis',
      line: 3,
    })
  })
})
