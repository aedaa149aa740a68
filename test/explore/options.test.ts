import { type ExploreOptions, explore } from 'health-lab-sdk/mock/explore'
import { expect, it } from 'vitest'
import { type Context, careless, failureOf, quiet } from './careless.ts'

it.each(['scenario', 'check'])('reports anything that %s throws', async (name) => {
  const thrown = Object.create(null)
  const fail = () => {
    throw thrown
  }
  const options = { ...quiet, scenario: () => {}, [name]: fail }
  const { message, cause } = await failureOf(explore(options))
  expect(message).toContain('a value that cannot be converted to a string')
  expect(cause).toBe(thrown)
})

it.each([
  { change: { budget: { runs: 0 } }, problem: /^Expected options\.budget\.runs/ },
  { change: { scenario: undefined }, problem: /^Expected options\.scenario to be a function/ },
  { change: { invariant: {} }, problem: /invariant/ },
  { change: { runTimeout: 100_000_001 }, problem: /runTimeout to be at most 100000000/ },
  { change: { budget: { seconds: 0 } }, problem: /seconds to be at least 0\.001/ },
  { change: { serve: () => {} }, problem: /^Expected options\.serve to return a mock server/ },
  {
    change: { setup: () => new Promise(() => {}), runTimeout: 20 },
    problem: /^setup did not finish within 20 ms/,
  },
  {
    change: { check: () => new Promise(() => {}), runTimeout: 200 },
    problem: /The check fails: check did not finish within 200 ms/,
  },
  {
    change: { check: () => ({ stored: { orders: 5 } }) },
    problem:
      /^Expected stored\.orders in the result of check to be a list of ids, or of records with an id/,
  },
  {
    change: { check: () => ({ stored: { orders: [null] } }) },
    problem: /^Expected stored\.orders in the result of check/,
  },
  {
    change: { check: () => ({ stored: { order: [] } }) },
    problem: /^Expected stored in the result of check to be records named orders/,
  },
])('rejects the options $change', async ({ change, problem }) => {
  // Callers without types may pass any value.
  const options = { ...careless, ...change } as ExploreOptions<Context>
  await expect(explore(options)).rejects.toThrow(problem)
})
