import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type ExploreOptions, type ExploreTools, explore } from 'health-lab-sdk/mock/explore'
import { expect, it } from 'vitest'
import { type Context, careless, failureOf, quiet } from './careless.ts'

it('reports requests after the deadline', async () => {
  const slow: ExploreOptions<Context> = {
    ...careless,
    scenario: async ({ client }) => {
      for (let attempt = 1; attempt <= 3; attempt += 1) {
        if (await client.link.listProviders().catch(() => undefined)) return
      }
    },
    deadline: '30s',
  }
  expect(await failureOf(explore(slow))).toMatchObject({ violation: 'lateCalls' })
})

it.each([
  {
    name: 'sleeps in virtual time',
    scenario: async ({ connection }: ExploreTools) => {
      while (true) await connection.clock?.sleep(60_000)
    },
  },
  {
    name: 'sends one request after the other',
    scenario: async ({ client }: Context) => {
      while (true) await client.link.listProviders()
    },
  },
])('ends the run of a program that $name for ever, and shows where', async ({ scenario }) => {
  const options = { ...careless, actionLimit: 250, scenario }
  const error = await failureOf(explore({ ...options, check: () => {} }))
  expect(error.violation).toBe('endless')
  expect(error.message).toContain(
    'Your program did not finish: it was still running after 250 requests and waits',
  )
  expect(Object(error.cause).stack).toMatch(/Request or wait number 251 of the run/)
})

it('names the line of the program at which its sleeps exceed the limit', async () => {
  const poll: ExploreOptions<Context> = {
    ...careless,
    scenario: async ({ connection, db }) => {
      while (db.orders.size === 0) await connection.clock?.sleep(1)
    },
  }
  const error = await failureOf(explore(poll))
  expect(Object(error.cause).stack).toContain('run-limits.test.ts')
})

it('allows 301 requests without an option', async () => {
  const scenario = async ({ client }: Context) => {
    for (let sent = 0; sent < 301; sent += 1) await client.link.listProviders()
  }
  const { ended } = await explore({ ...careless, scenario, budget: { runs: 2 } })
  expect(ended).toBe('budget')
})

it('lets a program poll in the background without end', async () => {
  const scenario = async ({ client, connection }: Context & ExploreTools) => {
    const poll = async () => {
      while (true) {
        await client.link.listProviders().catch(() => {})
        await connection.clock?.sleep(60_000)
      }
    }
    void poll()
  }
  const { ended } = await explore({ ...careless, scenario, budget: { runs: 5 } })
  expect(ended).toBe('budget')
})

it.each([undefined, 100_000_000])(
  'does not end a run too early with the runTimeout %s',
  async (runTimeout) => {
    const setup = () => promisify(execFile)(process.execPath, ['-e', '0'])
    // Callers without types may pass undefined.
    const limit = { runTimeout: runTimeout as number }
    const program = { ...quiet, ...limit, setup, scenario: () => {} }
    const report = await explore.replay('v1 1', program)
    expect(report.runs).toBeGreaterThan(0)
  },
)
