import { type ExploreOptions, explore } from 'health-lab-sdk/mock/explore'
import { expect, it } from 'vitest'
import { type Context, careless, failureOf, quiet } from './careless.ts'
import { base, orderOf, withOrder } from './corpus/kit.ts'

it('explains a failure with its faults, the timeline and the line that replays it', async () => {
  const error = await failureOf(explore(careless))
  expect(error.violation).toBe('doubled')
  expect(error.message.split('\n')).toEqual([
    'test/explore/careless.ts:13: The service has 2 identical orders instead of 1: your program created the same order again.',
    'Fix your program. If this is intended, set invariants: { doubled: false }. explore ran your program 3 times.',
    '',
    'Faults:',
    '  1. Request orders.create #1: the service handles it, and the response is lost.',
    '',
    'Timeline in virtual time:',
    '    +0.000 s  request orders.create #1: the response is lost (1 new in users, 1 new in orders), test/explore/careless.ts:13 [fault 1]',
    '    +0.000 s  request orders.create #2: 200 (1 new in orders), test/explore/careless.ts:13',
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
      '    +0.000 s  request orders.create #1: the response is lost (1 new in users, 1 new in orders), test/explore/explore.test.ts:41 [fault 1]',
      '    +0.000 s  request orders.create #2: 429, test/explore/explore.test.ts:41 [fault 2]',
      '    +0.000 s  request orders.create #3: 500 (1 new in orders), test/explore/explore.test.ts:41 [fault 3]',
      '    +2.000 s  request orders.create #4: 200 (1 new in orders), test/explore/explore.test.ts:41',
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
