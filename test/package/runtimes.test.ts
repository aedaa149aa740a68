import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { bundles } from '../../scripts/runtimes/bundles.ts'
import { entries } from '../../scripts/runtimes/consumer.ts'
import { generatedClients } from '../../scripts/runtimes/generated-clients.ts'
import { jest } from '../../scripts/runtimes/jest.ts'
import { runtimes } from '../../scripts/runtimes/runtimes.ts'
import { smoke } from '../../scripts/runtimes/smoke.ts'
import { checkStacks } from '../../scripts/runtimes/stacks.ts'
import { types } from '../../scripts/runtimes/types.ts'

const trials = [
  ...runtimes(entries),
  ...types(entries),
  ...jest(),
  ...bundles(),
  ...generatedClients(),
]

it('passes the smoke suite from its sources', async () => {
  expect(await smoke()).toBeGreaterThan(10)
})

it("finds the caller's line in stacks of errors, from its sources", async () => {
  expect(await checkStacks()).toBeGreaterThan(5)
})

it('lists every tested runtime, compiler and bundler in the guide', () => {
  const page = readFileSync('docs/trust/support.md', 'utf8')
  expect(trials.map(({ name }) => name).filter((name) => !page.includes(name))).toEqual([])
})

it('tests exact versions', () => {
  const tools = trials.flatMap(({ tool }) => tool.split(' '))
  expect(tools.filter((tool) => !/^[@/a-z-]+@\d+\.\d+\.\d+$/.test(tool))).toEqual([])
})
