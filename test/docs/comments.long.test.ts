import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { packageSources } from '../support/programs/package-sources.ts'
import { exampleProgram, examples } from './comment-examples.ts'

const run = promisify(execFile)

it('finds the examples', () => {
  expect(examples.length).toBeGreaterThan(40)
})

it('runs every example of a doc comment', async () => {
  mkdirSync('scratch', { recursive: true })
  const folder = mkdtempSync('scratch/comments-')
  writeFileSync(join(folder, 'examples.ts'), await exampleProgram())
  const { stderr } = await run(process.execPath, [...packageSources, 'examples.ts'], {
    cwd: folder,
  })
  rmSync(folder, { recursive: true })
  expect(stderr).toBe('')
})
