import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)
const { NO_COLOR: _, FORCE_COLOR: __, ...env } = process.env

it.each(globSync('examples/*.ts'))('runs %s to its end', async (example) => {
  const { stderr } = await run(process.execPath, [example], { env })
  expect(stderr).toBe('')
})

it('tells a whole journey in the quickstart, without colours where nobody sees them', async () => {
  const { stdout } = await run('npm', ['run', '--silent', 'quickstart'], { env })
  const lines = stdout.trimEnd().split('\n')
  const checks = lines.filter((line) => line.startsWith('  ✓ '))
  expect(lines.at(-1)).toBe(`Every step checked out: ${checks.length} checks held.`)
  expect(lines.filter((line) => /^\d\. /.test(line))).toHaveLength(8)
  expect(lines.filter((line) => line.includes(' of 5,000'))).toHaveLength(10)
  expect(stdout).not.toContain('\u001b')
})
