import { describe, expect, it } from 'vitest'
import { programsOf } from '../../docs/.vitepress/code/blocks.ts'
import { noteOf } from '../../docs/.vitepress/markdown/runs.ts'
import { runnableBlocks, sharedFiles } from '../../docs/.vitepress/run/browser.ts'
import { runProgram } from '../../docs/.vitepress/run/sandbox/program.ts'

const fence = (info: string, code: string) => `\n\`\`\`${info}\n${code}\n\`\`\`\n`

/** Returns why each block of a page does not run in a browser. */
function obstacles(page: string): (string | undefined)[] {
  const programs = programsOf('page.md', page)
  return runnableBlocks(programs, sharedFiles(programs)).map(({ obstacle }) => obstacle)
}

describe('blocks that run in the browser', () => {
  it('are those that import only what the sandbox has', () => {
    const page = fence('ts', `import { past } from 'health-lab-sdk'`) + fence('ts', `import 'pino'`)
    expect(obstacles(page)).toEqual([undefined, 'pino'])
  })

  it('are not those that continue a block that needs Node', () => {
    const page = fence('ts', 'a') + fence('ts continues', `import 'node:fs'`)
    expect(obstacles(page + fence('ts continues', 'b'))).toEqual([undefined, 'node:fs', 'node:fs'])
  })

  it('import files of pages that also run there', () => {
    const files = fence('ts one.ts', 'export const a = 1') + fence('ts two.ts', `import 'redis'`)
    const importing = (file: string) => fence('ts', `import './${file}'`)
    expect(obstacles(files + importing('one.ts') + importing('two.ts'))).toEqual([
      undefined,
      './two.ts',
    ])
  })

  it('use no globals of Node, and may import its types', () => {
    const page = fence('ts', 'process.env.A') + fence('ts', `import type { Stats } from 'node:fs'`)
    expect(obstacles(page)).toEqual(['process.env', undefined])
  })

  it('may contain names that end like a global of Node', () => {
    expect(obstacles(fence('ts', '// messaging.process.duration'))).toEqual([undefined])
  })
})

describe('the note below a block', () => {
  it('names what the block needs, and the blocks that it runs with', () => {
    const page = fence('ts', `import 'pino'`) + fence('ts continues', 'a')
    const programs = programsOf('page.md', page)
    expect(runnableBlocks(programs, new Map()).map((run) => noteOf(run, 'ts'))).toEqual([
      'Run it in Node: it uses pino.',
      'Run it in Node together with the block before: it uses pino.',
    ])
  })

  it.each([
    ['ts not-run (needs Redis)', 'To run this, you need Redis.'],
    [
      'ts excerpt (needs Next.js: app/a.ts)',
      'To run this, you need Next.js. Save it as app/a.ts. It is not tested.',
    ],
    ['ts not-run (a configuration file)', 'This is a configuration file.'],
    ['ts', undefined],
  ])('says what a reader needs for %s', (info, note) => {
    expect(noteOf(undefined, info)).toBe(note)
  })
})

describe('a program in the sandbox', () => {
  async function run(...parts: string[]) {
    const begun: number[] = []
    const error = await runProgram(parts, (place) => begun.push(place)).then(
      () => undefined,
      (reason: Error) => `${reason.name}: ${reason.message}`,
    )
    return { begun, error }
  }

  it('runs its blocks in order, as one module with types', async () => {
    const { begun, error } = await run('const a: number = await 1', 'if (a !== 1) throw a')
    expect({ begun, error }).toEqual({ begun: [0, 1], error: undefined })
  })

  it('reports the block that fails', async () => {
    expect(await run('1', `throw new TypeError('no')`, '2')).toEqual({
      begun: [0, 1],
      error: 'TypeError: no',
    })
  })

  it.each([
    { parts: ['const = 1'], place: 0, line: 1 },
    { parts: ['1\n2', '\n\nconst = 1'], place: 1, line: 3 },
    { parts: ['1', '2\nconst = 1', '3'], place: 1, line: 2 },
  ])('names the line of a syntax error in block $place', async ({ parts, place, line }) => {
    const { begun, error } = await run(...parts)
    expect(begun).toEqual([place])
    expect(error).toBe(`SyntaxError: Unexpected token in line ${line}.`)
  })

  it('says which imports need Node', async () => {
    const { error } = await run(`import 'pino'`)
    expect(error).toBe('Error: pino cannot be imported in the browser. Run the program in Node.')
  })
})
