import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ServiceClient } from 'health-lab-sdk'
import { MockError } from 'health-lab-sdk/mock'
import {
  ExploreError,
  type ExploreOptions,
  type ExploreTools,
  explore,
} from 'health-lab-sdk/mock/explore'
import { serve } from 'health-lab-sdk/mock/server'
import { expect, it } from 'vitest'
import { base, orderOf, post, withOrder } from './corpus/kit.ts'

const quiet = { print: () => {}, budget: { runs: 200 } }

type Context = ReturnType<typeof base>

/** A program that orders again after any error. */
const careless: ExploreOptions<Context> = {
  ...quiet,
  setup: base,
  scenario: async (context) => {
    const create = () => context.client.orders.create(orderOf(context))
    const { order } = await create().catch(create)
    context.db.orders.set(order.id, 'created')
  },
}

/** Returns the error of an exploration that must fail. */
async function failureOf(running: Promise<unknown>): Promise<ExploreError> {
  const error = await running.catch((reason: unknown) => reason)
  if (error instanceof ExploreError) return error
  throw error
}

it('explains a failure with its faults, the timeline and the line that replays it', async () => {
  const error = await failureOf(explore(careless))
  expect(error.violation).toBe('doubled')
  expect(error.message.split('\n')).toEqual([
    'test/explore/explore.test.ts:24: The service has 2 identical orders instead of 1: your program created the same order again.',
    'Fix your program. If this is intended, set invariants: { doubled: false }. Run 3 of explore failed.',
    '',
    'Faults:',
    '  1. Request orders.create #1: the service handles it, and the response is lost.',
    '',
    'Timeline in virtual time:',
    '    +0.000 s  request orders.create #1: the response is lost (1 new in users, 1 new in orders), test/explore/explore.test.ts:24 [fault 1]',
    '    +0.000 s  request orders.create #2: 200 (1 new in orders), test/explore/explore.test.ts:24',
    '',
    'Replay it:',
    "  await explore.replay('v1 1 request:orders.create#1=lose_response', options)",
  ])
})

it('finds the same failure in the same run each time, and replays it', async () => {
  const [one, other] = [
    await failureOf(explore(careless)),
    await failureOf(explore({ ...careless, seed: 1 })),
  ]
  expect([other.replay, other.report]).toEqual([one.replay, one.report])
  const replayed = await failureOf(explore.replay(one.replay, careless))
  expect([replayed.violation, replayed.replay]).toEqual(['doubled', one.replay])
})

it('lets each fault happen to its own one of several concurrent requests, and shows which', async () => {
  const places = [0, 1, 2]
  const options: ExploreOptions<Context> = {
    ...quiet,
    setup: base,
    scenario: async (context) => {
      const order = (place: number) => context.client.orders.create(orderOf(context, place))
      const results = await Promise.allSettled(places.map(order))
      context.db.people.push(...results.map(({ status }) => status))
    },
    check: ({ team, db }) => {
      const isEachFault =
        team.journal.count === 4 && db.people.join() === 'rejected,fulfilled,rejected'
      if (isEachFault) throw new Error('each fault happened')
    },
  }
  const faults = ['lose_response', 'rate_limited', 'error_after']
  const plan = faults.map((fault, place) => `request:orders.create#${place + 1}=${fault}`)
  const error = await failureOf(explore.replay(`v1 1 ${plan.join(' ')}`, options))
  expect(error.message).toContain(
    [
      '    +0.000 s  request orders.create #1: the response is lost (1 new in users, 1 new in orders), test/explore/explore.test.ts:72 [fault 1]',
      '    +0.000 s  request orders.create #2: 429, test/explore/explore.test.ts:72 [fault 2]',
      '    +0.000 s  request orders.create #3: 500 (1 new in orders), test/explore/explore.test.ts:72 [fault 3]',
      '    +2.000 s  request orders.create #4: 200 (1 new in orders), test/explore/explore.test.ts:72',
    ].join('\n'),
  )
})

it('lets a booking with a slow outcome leave concurrent bookings as they are', async () => {
  const statuses: string[] = []
  await explore.replay('v1 1 request:orders.bookPhlebotomyAppointment#1=pending', {
    ...quiet,
    setup: (tools) => ({
      ...base(tools),
      orders: [tools.team.orders.create().id, tools.team.orders.create().id],
    }),
    scenario: async ({ client, orders, team }) => {
      statuses.length = 0
      const book = (order: string) =>
        client.orders.bookPhlebotomyAppointment(order, {
          booking_key: team.bookings.key(),
          async_confirmation: true,
        })
      for (const { status } of await Promise.all(orders.map(book))) statuses.push(status)
    },
  })
  expect(statuses).toEqual(['pending', 'confirmed'])
})

it('finds nothing in a run whose rule is switched off', async () => {
  const invariants = { doubled: false, unsafeRetries: false }
  const report = await explore({ ...careless, invariants })
  expect(report.ended).toBe('complete')
})

it('reports which faults were tested at which points, as lines and JSON', async () => {
  const lines: string[] = []
  const report = await explore({
    ...careless,
    scenario: ({ client }) => client.link.listProviders(),
    print: (line) => lines.push(line),
    budget: { runs: 3 },
    environment: false,
  })
  expect(JSON.parse(JSON.stringify(report))).toMatchObject({
    runs: 3,
    ended: 'budget',
    coverage: [
      {
        kind: 'request',
        name: 'link.listProviders',
        points: 1,
        tested: { outage: 1, error_before: 1 },
        untested: expect.arrayContaining(['rate_limited', 'lose_response']),
      },
    ],
  })
  expect(lines[0]).toMatch(/^explore: 3 runs with seed 1; 2 of 14 single faults, 0 pairs;/)
  expect(lines[1]).toMatch(/request link\.listProviders \(1 point\): error_before 1, outage 1; not/)
})

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

it('runs due events of the same moment in every order', async () => {
  const error = await failureOf(
    explore({
      ...quiet,
      setup: async (tools) => {
        const { client } = base(tools)
        const orders = [tools.team.orders.create().id, tools.team.orders.create().id]
        const booking = { booking_key: 'bk_confirm_after_5m', async_confirmation: true }
        await Promise.all(
          orders.map((order) => client.orders.bookPhlebotomyAppointment(order, booking)),
        )
        return { orders }
      },
      scenario: ({ team }) => team.clock.advance('5m'),
      check: ({ orders, team }) => {
        const events = team.events.list('labtest.appointment.updated')
        const { order_id } = Object(events.at(-1)?.body['data'])
        if (order_id !== orders[1]) throw new Error('the other order was confirmed last')
      },
    }),
  )
  expect(error.replay).toMatch(/^v1 1 clock:due#\d+=next_2$/)
})

it.each(['scenario', 'check'])('reports anything that %s throws', async (name) => {
  const thrown = Object.create(null)
  const fail = () => {
    throw thrown
  }
  const options = { ...quiet, scenario: () => {}, [name]: fail }
  const { message, cause } = await failureOf(explore(options))
  expect(message).toContain('a value that has no string form')
  expect(cause).toBe(thrown)
})

it('reports a failure without faults, and replays it', async () => {
  const options = {
    ...careless,
    check: () => {
      throw new Error('wrong from the start')
    },
  }
  const error = await failureOf(explore(options))
  expect(error.replay).toBe('v1 1')
  expect(error.message).toContain('This happens even without faults.')
  expect((await failureOf(explore.replay('v1 1', options))).message).toBe(error.message)
})

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

/** Orders from another process, and again after any error. */
const program = `
  const { URL: url, KEY: key, BODY: body } = process.env
  const headers = { 'x-service-api-key': key, 'content-type': 'application/json' }
  const send = () => fetch(url + '/v3/order', { method: 'POST', headers, body })
  send().catch(send).then(() => process.exit())
`

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
  expect(Object(error.cause).stack).toContain('explore.test.ts')
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

it('counts a fault as tested only if it happened', async () => {
  let runs = 0
  const report = await explore({
    ...careless,
    scenario: async ({ client }) => {
      runs += 1
      if (runs <= 2) await client.link.listProviders()
    },
  })
  expect(report.coverage[0]?.tested).toEqual({})
  expect(report.coverage[0]?.untested).toContain('lose_response')
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

it('tests what a magic key of a booking does not allow by itself', async () => {
  const outcomes = new Set<string>()
  await explore({
    ...quiet,
    budget: { runs: 30 },
    setup: withOrder,
    scenario: ({ client, order }) =>
      client.orders.bookPhlebotomyAppointment(order, {
        booking_key: 'bk_confirm',
        async_confirmation: true,
      }),
    check: ({ team }) => {
      const [appointment] = team.appointments.list()
      outcomes.add(appointment?.status ?? 'none')
    },
  })
  expect(outcomes).toEqual(new Set(['confirmed', 'cancelled', 'none']))
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
