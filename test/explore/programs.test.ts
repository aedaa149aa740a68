import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ServiceClient } from 'health-lab-sdk'
import { type ExploreTools, explore } from 'health-lab-sdk/mock/explore'
import { serve } from 'health-lab-sdk/mock/server'
import { expect, it } from 'vitest'
import { type Context, careless, failureOf, quiet } from './careless.ts'
import { base, orderOf, post } from './corpus/kit.ts'

/** Orders from another process, and again after any error. */
const program = `
  const { URL: url, KEY: key, BODY: body } = process.env
  const headers = { 'x-service-api-key': key, 'content-type': 'application/json' }
  const send = () => fetch(url + '/v3/order', { method: 'POST', headers, body })
  send().catch(send).then(() => process.exit())
`

it('lets nothing of a crashed program reach the service, and restarts it with the same context', async () => {
  const runs: string[][] = []
  const report = await explore({
    ...quiet,
    budget: { runs: 60 },
    setup: (tools) => {
      const log: string[] = []
      runs.push(log)
      return { ...base(tools), log }
    },
    scenario: async ({ client, log }) => {
      const both = [client.link.listProviders(), client.labTests.list()]
      await Promise.allSettled(both)
      log.push('first')
      await client.users.createSignInToken('6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55')
      log.push('second')
    },
    restart: ({ log, team }) => {
      log.push(`restart after ${team.journal.lines('users.*').length}`)
    },
  })
  const crashed = runs.map((log) => log.join(', ')).filter((log) => log.includes('restart'))
  expect(report.ended).toMatch(/budget|complete/)
  expect(new Set(crashed)).toEqual(
    new Set(['restart after 0', 'first, restart after 0', 'first, restart after 1']),
  )
})

it('finds a bug in a program that uses another client over HTTP', async () => {
  const error = await failureOf(
    explore({
      ...quiet,
      serve,
      setup: (tools) => ({ tools: { connection: { ...tools.connection, fetch } } }),
      scenario: async ({ tools, team }) => {
        const send = () => post(tools, '/v3/order', orderOf({ team }))
        await send().catch(send)
      },
    }),
  )
  expect(error.replay).toBe('v1 1 request:orders.create#1=lose_response')
})

it('finds a bug in a program in another process', async () => {
  const error = await failureOf(
    explore({
      ...quiet,
      serve,
      scenario: async ({ connection, team, signal }) => {
        const BODY = JSON.stringify(orderOf({ team }))
        const env = { ...process.env, URL: connection.baseUrl, KEY: connection.apiKey, BODY }
        await promisify(execFile)(process.execPath, ['-e', program], { env, signal })
      },
      runTimeout: 15_000,
    }),
  )
  expect(error.replay).toBe('v1 1 request:orders.create#1=lose_response')
})

it('runs several explorations at the same time', async () => {
  const errors = await Promise.all(
    [1, 2, 3].map((seed) => failureOf(explore({ ...careless, seed }))),
  )
  expect(errors.map(({ replay }) => replay)).toEqual(
    [1, 2, 3].map((seed) => `v1 ${seed} request:orders.create#1=lose_response`),
  )
})

it('keeps the class of a context with private fields', async () => {
  class Program {
    readonly #client: ServiceClient
    constructor(client: ServiceClient) {
      this.#client = client
    }
    run = () => this.#client.link.listProviders()
  }
  const report = await explore({
    ...quiet,
    setup: ({ connection }) => new Program(new ServiceClient(connection)),
    scenario: (context) => context.run(),
  })
  expect(report.ended).toBe('complete')
})

it('accepts a check that returns an assertion of a test runner', async () => {
  const assertion = new Proxy(
    {},
    {
      get(_, name) {
        if (name === 'then') return undefined
        throw new Error(`Invalid Chai property: ${String(name)}`)
      },
    },
  )
  const check = () => assertion
  const scenario = ({ client }: Context) => client.link.listProviders()
  const report = await explore({ ...quiet, budget: { runs: 2 }, setup: base, scenario, check })
  expect(report.ended).toBe('budget')
})

it('tests no crashes without a restart', async () => {
  const { coverage } = await explore({
    ...careless,
    scenario: ({ client }) => client.link.listProviders(),
  })
  expect(Object.keys(coverage[0]?.tested ?? {}).filter((fault) => /crash/.test(fault))).toEqual([])
})

it('says why a client from setup with maxConcurrency waits forever after a crash', async () => {
  const read = async ({ client, id }: { client: ServiceClient; id: string }) => {
    await client.orders.getPhlebotomyAppointment(id).catch(() => {})
  }
  const options = {
    setup: ({ connection, team }: ExploreTools) => ({
      client: new ServiceClient({ ...connection, maxConcurrency: 1 }),
      id: team.orders.create().id,
    }),
    scenario: read,
    restart: read,
    check: () => {},
    ...quiet,
    runTimeout: 500,
  }
  const plan = 'v1 1 request:orders.getPhlebotomyAppointment#1=crash_after'
  await expect(explore.replay(plan, options)).rejects.toThrow(
    'create it in scenario and restart instead',
  )
})
