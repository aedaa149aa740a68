import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import type { ExploreOptions, ExploreTools } from 'health-lab-sdk/mock/explore'
import { createMock } from '../../mock/index.ts'
import type { Team } from '../../mock/team.ts'

// A harness that a team could write with fast-check and the mock's faults: random faults, deliveries and one crash.

const fault = fc.record({
  on: fc.constantFrom('*', 'orders.*', 'labTests.*', 'users.*', 'insurance.*', 'link.*'),
  nth: fc.integer({ min: 1, max: 4 }),
  then: fc.constantFrom(
    'lose_response',
    'cut_before_response',
    'cut_mid_body',
    { status: 500 },
    { status: 503 },
    { status: 429 },
    { status: 409 },
    { latency: '10m' },
    { drift: 'unknown_values' },
    { drift: 'nulls' },
  ),
})
const deliveries = fc.record({
  duplicates: fc.constantFrom(0, 0.5),
  reorder: fc.constantFrom(1, 10),
  concurrency: fc.constantFrom(1, 4),
  lostResponses: fc.constantFrom(0, 0.3),
})
const plans = fc.record({
  faults: fc.array(fault, { maxLength: 3 }),
  deliveries: fc.option(deliveries),
  crashAfter: fc.option(fc.integer({ min: 1, max: 8 })),
})
type Plan = typeof plans extends fc.Arbitrary<infer Value> ? Value : never

let unhandled = 0
process.on('unhandledRejection', () => {
  unhandled += 1
})

/** Searches for a plan that makes a program do something wrong. */
export async function search<Context extends object>(
  program: ExploreOptions<Context>,
  { runs, seed }: { runs: number; seed: number },
): Promise<boolean> {
  const clean = await run(program, { faults: [], deliveries: null, crashAfter: null })
  const property = fc.asyncProperty(plans, async (plan) => {
    judge(await Promise.race([run(program, plan), hang()]), clean)
  })
  const { failed } = await fc.check(property, { numRuns: runs, seed, endOnFailure: true })
  return failed
}

async function hang(): Promise<never> {
  await setTimeout(10_000, undefined, { ref: false })
  throw new Error('the program does not end')
}

/** The result of a run: the error that `check` threw, and how often each record exists. */
interface Outcome {
  failure: unknown
  counts: Map<string, number>
}

async function run<Context extends object>(
  { setup, scenario, restart = scenario, check }: ExploreOptions<Context>,
  plan: Plan,
): Promise<Outcome> {
  const team = createMock().team({ clock: 'auto' })
  const before = unhandled
  const crash = Promise.withResolvers<void>()
  const { connection, arm } = crashing(team.connection(), plan.crashAfter, crash.resolve)
  const tools: ExploreTools = {
    team,
    connection,
    signal: new AbortController().signal,
    fence: (store) => store,
  }
  const add = team.webhooks.add.bind(team.webhooks)
  team.webhooks.add = (webhook) => add({ ...webhook, ...plan.deliveries })
  const context = { ...tools, ...((await setup?.(tools)) as Context) }
  for (const { on, nth, then } of plan.faults) {
    team.faults.add({ on, when: { nth }, then } as Parameters<Team['faults']['add']>[0])
  }
  arm(true)
  const scenarios = Promise.resolve(scenario(context)).catch(() => {})
  const isCrashed = await Promise.race([scenarios, crash.promise.then(() => 'crash')])
  arm(false)
  try {
    if (isCrashed === 'crash') await restart(context)
    team.faults.clear()
    await team.clock.advance('4d')
    const result = await check?.(context)
    const stored = result?.stored ?? {}
    await new Promise(setImmediate)
    if (unhandled > before) throw new Error('a promise rejected without a handler')
    for (const [kind, records = []] of Object.entries(stored)) compare(team, kind, records)
    return { failure: undefined, counts: count(team) }
  } catch (failure) {
    return { failure, counts: count(team) }
  }
}

/** The connection stops responding after some requests, as if the process had ended. */
function crashing(
  connection: ReturnType<Team['connection']>,
  after: number | null,
  crash: () => void,
) {
  let requests = 0
  let isArmed = false
  const fetch: typeof connection.fetch = async (input, init) => {
    const response = await connection.fetch(input, init)
    if (!isArmed || after === null) return response
    requests += 1
    if (requests < after) return response
    crash()
    return new Promise<never>(() => {})
  }
  const arm = (value: boolean) => {
    isArmed = value
  }
  return { connection: { ...connection, fetch }, arm }
}

function compare(team: Team, kind: string, records: readonly unknown[]): void {
  const kept = { orders: team.orders, appointments: team.appointments, insurances: team.insurances }
  const collection = kept[kind as keyof typeof kept]
  if (collection && collection.size !== records.length) throw new Error(`other ${kind}`)
}

function count(team: Team): Map<string, number> {
  const counts = new Map<string, number>()
  const add = (...key: unknown[]) => {
    const text = JSON.stringify(key)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  for (const { user_id, order_set } of team.orders.list()) add('order', user_id, order_set)
  for (const { user_id, status } of team.appointments.list()) {
    if (status !== 'cancelled') add('appointment', user_id)
  }
  for (const { user_id, insurance } of team.insurances.list()) {
    add('insurance', user_id, insurance.member_id)
  }
  return counts
}

/** @param clean The outcome of a run without faults. */
function judge({ failure, counts }: Outcome, clean: Outcome): void {
  if (failure !== undefined && clean.failure === undefined) throw failure
  for (const [key, times] of counts) {
    if (times > Math.max(1, clean.counts.get(key) ?? 0)) throw new Error(`${times} times: ${key}`)
  }
}
