import { MockError } from 'health-lab-sdk/mock'
import { type ExploreTools, explore } from 'health-lab-sdk/mock/explore'
import { expect, it } from 'vitest'
import { type Context, careless, quiet } from './careless.ts'
import { base } from './corpus/kit.ts'

it.each([
  {
    line: 'orders.create',
    problem: /^Expected a replay line that starts with 'v1' and a seed/,
  },
  { line: 'v1 1 request:orders.create=lose', problem: /^Expected a fault such as/ },
  { line: 'v1 1 request:orders.create#1=unknown', problem: /may come from a different version/ },
  { line: 'v1 %E0%A4', problem: /^The replay line is damaged at '%E0%A4'/ },
  { line: 'v1 1 delivery:%E0%A4#1=late', problem: /^The replay line is damaged/ },
])('rejects the line $line', async ({ line, problem }) => {
  const error = await explore.replay(line, careless).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(MockError)
  expect(error).toMatchObject({ code: 'invalid_option', message: expect.stringMatching(problem) })
})

it('says when a fault in a line did not occur', async () => {
  const lines: string[] = []
  const options = { scenario: ({ team }: Context & ExploreTools) => team.orders.list() }
  await explore.replay('v1 1 request:orders.create#1=slow', {
    ...quiet,
    ...options,
    setup: base,
    print: (line) => lines.push(line),
  })
  expect(lines[0]).toBe(
    'explore: the run has no request orders.create #1, so a fault in the replay line did not occur.',
  )
})
