import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runsLongTests } from './support/long-tests.ts'

function run(...words: string[]) {
  const parts = ['--import', './scripts/package-sources.ts', 'evals/run.ts', ...words]
  const { status, stdout } = spawnSync(process.execPath, parts, { encoding: 'utf8' })
  return { status, stdout }
}

const tasks = runsLongTests ? [] : ['keep-newest', 'label-status', 'place-order']

it('accepts right solutions of the tasks, and rejects wrong ones', () => {
  const { status, stdout } = run(...tasks)
  const [, accepted, right, rejected, wrong] =
    /^\| All \| (\d+) of (\d+) \| (\d+) of (\d+) /m.exec(stdout)?.map(Number) ?? []
  expect([right, wrong]).toEqual(runsLongTests ? [12, 60] : [3, 15])
  expect(accepted).toBe(right)
  expect(rejected).toBeGreaterThanOrEqual(runsLongTests ? 57 : 15)
  expect(status).toBe(0)
})

it('prints a line for each task, with the input but without the solution in it', () => {
  const samples = run('samples')
    .stdout.trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(samples).toHaveLength(12)
  for (const { id, input, target, metadata } of samples) {
    expect(input).toMatch(/Write `(\w+)`[\s\S]*export (?:async )?function \1/)
    expect(input).not.toContain(target)
    expect(metadata.grade).toContain(`grade ${id} `)
  }
})

it('judges a file', () => {
  const file = join(tmpdir(), `evals-${process.pid}.ts`)
  writeFileSync(file, 'export function labelOf(status: string) {\n  return status\n}\n')
  const { status, stdout } = run('grade', 'label-status', file)
  expect(stdout).toMatch(/^grader Expected values to be strictly equal/)
  expect(status).toBe(1)
})
