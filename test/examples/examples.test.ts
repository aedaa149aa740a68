import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { blocksOf } from '../../docs/.vitepress/code/blocks.ts'
import { sampled } from '../support/long-tests.ts'
import { packageSources } from '../support/programs/package-sources.ts'

const run = promisify(execFile)
const { NO_COLOR: _, FORCE_COLOR: __, ...env } = process.env

it.each(sampled(globSync('examples/*.ts').toSorted(), 5))('runs %s', async (example) => {
  const { stderr } = await run(process.execPath, [...packageSources, example], { env })
  expect(stderr).toBe('')
})

it('runs the quickstart in eight parts, without colours when the output is not a terminal', async () => {
  const { stdout } = await run('npm', ['run', '--silent', 'quickstart'], { env })
  const lines = stdout.trimEnd().split('\n')
  const checks = lines.filter((line) => line.startsWith('  ✓ '))
  expect(lines.at(-1)).toBe(`All ${checks.length} checks passed.`)
  expect(lines.filter((line) => /^\d\. /.test(line))).toHaveLength(8)
  expect(lines.filter((line) => line.includes(' of 5,000'))).toHaveLength(10)
  expect(stdout).not.toContain('\u001b')
  const [shown] = blocksOf(readFileSync('README.md', 'utf8')).filter(
    ({ language }) => language === 'console',
  )
  const missing = shown?.code.split('\n').filter((line) => !lines.includes(line))
  expect(missing, 'the README shows what it prints').toEqual([])
})
