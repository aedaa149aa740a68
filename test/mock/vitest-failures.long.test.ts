import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

/** Runs a file of tests in its own process, and returns what it prints. */
function run(source: string): { code: number | null; output: string } {
  const { LONG_TESTS: _, ...env } = process.env
  const folder = mkdtempSync(join('test', 'tmp-'))
  try {
    writeFileSync(join(folder, 'one.test.ts'), source)
    const { status, stdout, stderr } = spawnSync('npx', ['vitest', 'run', '--root', '.', folder], {
      encoding: 'utf8',
      env: { ...env, NO_COLOR: '1' },
    })
    return { code: status, output: stdout + stderr }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

it('fails a test whose fault was never met, and explains the teams of a failed test', () => {
  const { code, output } = run(`
    import { expect } from 'vitest'
    import { test } from '../../mock/vitest.ts'
    test('forgets its fault', ({ team }) => {
      team.faults.add({ on: 'insurance.create', then: 'html' })
    })
    test('fails', async ({ client, team }) => {
      const { id } = team.orders.create()
      team.faults.add({ on: 'insurance.create', then: 'html' })
      await client.orders.bookPhlebotomyAppointment(id, { booking_key: 'invalid' }).catch(() => {})
      expect(team).toHaveReceived('orders.create')
    })
    test('fails with a team of its own', async ({ mock }) => {
      mock.team().users.create()
      expect(1).toBe(2)
    })
    test('passes', ({ team }) => void team.users.create())
  `)
  expect(code).toBe(1)
  expect(output).toContain('Expected every fault to affect a request')
  expect(output).toMatch(/❯ .*\.test\.ts:5:19/)
  expect(output).toContain('Expected the team to receive at least 1 request for orders.create')
  expect(output.match(/^The team at .*$/gm)).toEqual([
    expect.stringMatching(/received 0 requests\.$/),
    expect.stringMatching(/received 1 request\.$/),
    expect.stringMatching(/received 0 requests\.$/),
  ])
  expect(output).toContain('/book 400: Invalid or expired booking key')
  expect(output).toContain('Faults that affected no request:\n  {"on":"insurance.create"')
  const paths = [...output.matchAll(/^Reproduction: (.*\.cjs)$/gm)].map(([, path = '']) => path)
  expect(paths).toHaveLength(3)
  for (const path of paths) {
    expect(readFileSync(path, 'utf8')).toMatch(/exports\.team = createMock\(.*\)\.reproduce\(/)
    rmSync(dirname(path), { recursive: true })
  }
})

it('explains no team of a test that skips itself', () => {
  const { code, output } = run(`
    import { test } from '../../mock/vitest.ts'
    test('skips itself', ({ team, skip }) => {
      team.faults.add({ on: 'insurance.create', then: 'html' })
      skip()
    })
  `)
  expect([code, output]).toEqual([0, expect.stringContaining('1 skipped')])
  expect(output).not.toContain('insurance.create')
})
