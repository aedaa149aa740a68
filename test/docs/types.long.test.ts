import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { programsOf } from '../../docs/.vitepress/code/blocks.ts'
import { pageFiles } from '../../docs/.vitepress/navigation.ts'
import { exampleProgram } from './comment-examples.ts'

const run = promisify(execFile)

it('compiles the code of every page and every example of a doc comment', async () => {
  mkdirSync('scratch', { recursive: true })
  const folder = mkdtempSync('scratch/types-')
  for (const page of ['README.md', 'CONTRIBUTING.md', ...pageFiles()]) {
    for (const { file, text } of programsOf(page, readFileSync(page, 'utf8'))) {
      writeFileSync(join(folder, file), text)
    }
  }
  writeFileSync(join(folder, 'comment-examples.ts'), await exampleProgram())
  const settings = { extends: '../../tsconfig.json', include: ['*.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  const output = await run('npx', ['tsc', '--project', folder]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
  rmSync(folder, { recursive: true })
  // `npx tsc --noEmit` reports the errors of the sources.
  expect(output.split('\n').filter((line) => line.startsWith('scratch'))).toEqual([])
})
