import {
  createMock,
  type Mock,
  MockError,
  type Team,
  type TimeSpan,
  type WebhookInput,
} from '../../../mock/index.ts'
import { recipe } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'
import { fc } from '../../support/properties.ts'
import { book, inBackground } from '../teams.ts'

/** What a handler received, at its virtual time. */
export interface Received {
  webhook: string
  at: string
  id: string | null
  body: string
}

/** A team in a program, and what its handlers received. */
export interface Run {
  mock: Mock
  team: Team
  received: Received[]
  /** Called in each handler. */
  inHandler?: () => void
}

type Step = (run: Run) => unknown

/** The ids of the users. */
export const ids = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`)
const user = fc.constantFrom(...ids)
const provider = fc.constantFrom('oura', 'fitbit', 'dexcom_v3', 'my_fitness_pal_v2')
/** Also ids that are subjects of other due events. */
const webhookId = fc.constantFrom('data', 'one', ids[0] ?? '')
const persona = fc.constantFrom('athlete', 'older_adult', 'type_1_diabetic')
const zone = fc.constantFrom('UTC', 'Asia/Tokyo', 'America/New_York')
const span = fc.constantFrom<TimeSpan>(0, '700ms', '2s', '5s', '1h', '9h', '1d')
const at = fc.nat(9)

function named(name: string, step: fc.Arbitrary<Step>): fc.Arbitrary<Step> {
  return step.map((one) => Object.assign(one, { toString: () => name }))
}

/** Returns one of some records; undefined without any. */
function pick<T>(records: readonly T[], index: number): T | undefined {
  return records[index % Math.max(1, records.length)]
}

const steps: Record<string, fc.Arbitrary<Step>> = {
  createUser: fc
    .tuple(user, fc.boolean(), fc.array(provider, { maxLength: 2 }), fc.option(persona))
    .map(([user_id, living, connections, kind]) => ({ team }) => {
      team.users.create({ user_id, living, connections, ...(kind ? { persona: kind } : {}) })
    }),
  updateUser: fc
    .tuple(user, persona, zone, fc.boolean())
    .map(([id, kind, time_zone, living]) => ({ team }) => {
      team.users.update(id, { persona: kind, time_zone, living })
    }),
  deleteUser: user.map(
    (id) =>
      ({ team }) =>
        team.users.delete(id),
  ),
  connect: fc.tuple(user, provider).map(([user_id, slug]) => ({ team }) => {
    team.connections.create({ user_id, provider: slug })
  }),
  disconnect: fc.tuple(user, provider).map(([id, slug]) => ({ team }) => {
    team.connections.delete(id, slug)
  }),
  changeProvider: fc.tuple(provider, at).map(([slug, nth]) => ({ team }) => {
    team.providers.update(slug, { name: `Name ${nth}`, supported_resources: ['sleep', 'steps'] })
  }),
  seed: fc.tuple(user, provider).map(([user_id, slug]) => ({ team }) => {
    return team.seed({ users: [{ user_id, living: true, connections: [slug] }] })
  }),
  addWebhook: fc
    .record({
      id: webhookId,
      status: fc.constantFrom(200, 200, 500),
      delay: fc.constantFrom<TimeSpan>(0, 0, '3s'),
      duplicates: fc.constantFrom(0, 0.3),
      reorder: fc.constantFrom(1, 3),
    })
    .map(({ status, ...input }) => (run) => {
      run.team.webhooks.add({ ...input, handler: handlerOf(run, input.id, status) })
    }),
  removeWebhook: webhookId.map(
    (id) =>
      ({ team }) =>
        team.webhooks.remove(id),
  ),
  redeliver: webhookId.map(
    (id) =>
      ({ team }) =>
        team.webhooks.get(id)?.redeliver(),
  ),
  import: fc
    .tuple(provider, fc.array(user, { minLength: 1, maxLength: 4 }))
    .map(([slug, users]) => ({ team }) => {
      const connections = users.map((id) => recipe(id))
      return call(team, 'POST /v2/link/bulk_import', { provider: slug, connections })
    }),
  abortImport: at.map((nth) => ({ team }) => {
    const open = team.bulkOps.list().filter(({ status }) => status === 'in_progress')
    team.bulkOps.abort(pick(open, nth)?.id ?? 'none')
  }),
  addRow: fc.tuple(user, at).map(([user_id, score]) => ({ team }) => {
    team.data.create({ user_id, resource: 'sleep', values: { score } })
  }),
  changeRow: fc.tuple(at, at).map(([nth, score]) => ({ team }) => {
    team.data.update(pick(team.data.list(), nth)?.id ?? 'none', { values: { score } })
  }),
  order: user.map(
    (user_id) =>
      ({ team }) =>
        void team.orders.create({ user_id }),
  ),
  completeOrder: at.map((nth) => ({ team }) => {
    team.orders.complete(pick(team.orders.list(), nth)?.id ?? 'none')
  }),
  deleteOrder: at.map((nth) => ({ team }) => {
    team.orders.delete(pick(team.orders.list(), nth)?.id ?? 'none')
  }),
  book: fc
    .tuple(at, fc.constantFrom('bk_confirm', 'bk_confirm_after_1h', 'bk_never'))
    .map(([nth, key]) => async ({ team }) => {
      const booked = book(
        team,
        pick(team.orders.list(), nth)?.id ?? ids[0] ?? '',
        key,
        inBackground,
      )
      await Promise.race([booked, team.clock.whenWaiting()])
      await team.clock.advance('1s')
      await booked
    }),
  trigger: user.map((user_id) => ({ team }) => {
    team.trigger('daily.data.sleep.created', { user_id })
  }),
  configure: fc
    .record({
      summaryEvents: fc.constantFrom('list' as const, 'record' as const),
      historicalEvents: fc.constantFrom('data' as const, 'notice' as const),
    })
    .map(
      (settings) =>
        ({ team }) =>
          team.configure(settings),
    ),
  clearEvents: fc.constant(({ team }) => team.events.clear()),
  advance: span.map(
    (length) =>
      ({ team }) =>
        team.clock.advance(length),
  ),
  advanceMore: span.map(
    (length) =>
      ({ team }) =>
        team.clock.advance(length),
  ),
  runToNext: fc.constant(({ team }) => team.clock.runToNext()),
}

function handlerOf(run: Run, webhook: string, status: number) {
  const { team, received } = run
  const handler: WebhookInput['handler'] = async (request) => {
    run.inHandler?.()
    const at = team.clock.now().toISOString()
    const id = request.headers.get('webhook-id')
    received.push({ webhook, at, id, body: await request.text() })
    return new Response(null, { status })
  }
  return handler
}

/** How many programs a long test runs. */
export const runs = Number(process.env['PROGRAM_RUNS'] ?? 20)
/** Milliseconds of real time for all programs of a test. */
export const timeLimit = 240_000 + runs * 5000

/** Random programs, which begin with a living user and a webhook. */
export const programs = fc
  .array(fc.oneof(...Object.entries(steps).map(([name, step]) => named(name, step))), {
    minLength: 3,
    maxLength: 14,
  })
  .map((program): Step[] => [start, ...program])

const start: Step = Object.assign(
  (run: Run) => {
    run.team.users.create({
      user_id: ids[0] ?? '',
      living: true,
      connections: ['my_fitness_pal_v2'],
    })
    run.team.webhooks.add({ id: 'one', handler: handlerOf(run, 'one', 200) })
  },
  { toString: () => 'start' },
)

/** Runs a program with something between its steps, and then some days. Returns the team and what its handlers received. */
export async function play(
  program: readonly Step[],
  between: (run: Run, step: number) => unknown = () => {},
): Promise<Run> {
  const mock = createMock({ seed: 3 })
  const team = mock.team({
    clock: 'manual',
    importTimePerConnection: '1s',
    deprecatedFields: 'always',
  })
  const run: Run = { mock, team, received: [] }
  for (const [index, step] of program.entries()) {
    await tolerate(() => step(run))
    await between(run, index)
    await team.webhooks.idle()
  }
  await team.clock.advance('1d')
  await between(run, program.length)
  return run
}

/** Returns what each handler received; handlers of different webhooks run at the same time. */
export function byWebhook({ received }: Run): Partial<Record<string, Received[]>> {
  return Object.groupBy(received, ({ webhook }) => webhook)
}

/** Errors of the mock are responses to steps that are impossible at that moment. */
async function tolerate(step: () => unknown): Promise<void> {
  try {
    await step()
  } catch (error) {
    if (!(error instanceof MockError)) throw error
  }
}
