import { DurableError, type DurableWrites, durable } from 'health-lab-sdk/durable'
import type { ExploreContext, ExploreTools } from 'health-lab-sdk/mock/explore'
import { memoryStore } from 'health-lab-sdk/stores'
import { base, insurance, integration, orderOf, patient, recipeOf } from './kit.ts'

function prepare(tools: ExploreTools) {
  const { team } = tools
  team.users.create({ user_id: patient })
  const users = Array.from({ length: 4 }, () => team.users.create({ info: null }).user_id)
  const { id: order } = team.orders.create({ user_id: patient })
  const context = base(tools)
  return {
    ...{ ...context, users, order, booking_key: team.bookings.key() },
    writes: durable(context.client, { store: memoryStore() }),
    /** What the program knows to exist. */
    known: { orders: 1, appointments: 0, insurances: 0, connections: 0 },
  }
}

type Context = ExploreContext<ReturnType<typeof prepare>>

/** A write of the programs. */
type Step = (
  context: Context,
  writes: Pick<DurableWrites, 'orders' | 'insurance' | 'link'>,
) => Promise<void>

const createOrder: Step = async (context, { orders }) => {
  await orders.create('basket', orderOf(context))
  context.known.orders = 2
}

const book: Step = async ({ order, booking_key, known }, { orders }) => {
  const booking = { booking_key, async_confirmation: true }
  const { appointment } = await orders.bookAndWait('visit', order, booking)
  if (appointment) known.appointments = 1
}

const insure: Step = async ({ known }, { insurance: writes }) => {
  await writes.create('insurance', patient, insurance)
  known.insurances = 1
}

const importAll: Step = async ({ users, known }, { link }) => {
  const options = { batchSize: 2, concurrency: 1 }
  const report = await link.bulkImportAll('import', 'oura', users.map(recipeOf), options)
  if (report.unknown === 0) known.connections = users.length
}

/** Creates an order, and books a visit for it. */
const checkOut: Step = async (context, writes) => {
  await createOrder(context, writes)
  await book(context, writes)
}

const programs: [name: string, steps: readonly Step[]][] = [
  ['creates an order', [createOrder]],
  ['books an appointment', [book]],
  ['creates an insurance', [insure]],
  ['imports connections', [importAll]],
  ['checks out a basket', [checkOut]],
]

/** The same functions, without a store: what a restart finds is not asked. */
function unsafe({ client }: Context): Parameters<Step>[1] {
  return {
    orders: {
      create: (_, order) => client.orders.create(order),
      bookAndWait: async (_, order, booking) => {
        const appointment = await client.orders.bookPhlebotomyAppointment(order, booking)
        return { result: 'booked', appointment }
      },
    },
    insurance: { create: (_, user, body) => client.insurance.create(user, body) },
    link: {
      bulkImportAll: async (_, provider, recipes, options) => {
        const report = await client.link.bulkImportAll(provider, recipes, options)
        if (report.stopped) throw report.stopped.error
        return { ...report, failures: [] }
      },
    },
  }
}

async function run(steps: readonly Step[], context: Context, writes: Parameters<Step>[1]) {
  for (const step of steps) await step(context, writes)
}

/** What nothing proves is for a person; the program itself goes on. */
function runDurably(steps: readonly Step[]) {
  return async (context: Context) => {
    try {
      await run(steps, context, context.writes)
    } catch (error) {
      const isOpen = error instanceof DurableError && error.code === 'unresolved'
      if (!isOpen) throw error
    }
  }
}

/** The service has what the program knows, unless a write is still open. */
async function checkKnown({ team, known, writes }: Context): Promise<void> {
  if ((await writes.unresolved()).length > 0) return
  for (const [name, count] of Object.entries(known)) {
    const { size } = team[name as keyof typeof known]
    if (size !== count) throw new Error(`${size} ${name}, but the program knows ${count}`)
  }
}

/** Programs with durable writes: after a crash, they do the same again. */
export const correctDurable = programs.map(([name, steps]) =>
  integration(`${name} durably`, {
    setup: prepare,
    scenario: runDurably(steps),
    restart: runDurably(steps),
    check: checkKnown,
  }),
)

/** The same programs without them. */
export const flawedDurable = programs.map(([name, steps]) =>
  integration(`${name} again after a crash`, {
    setup: prepare,
    scenario: (context: Context) => run(steps, context, unsafe(context)),
    restart: (context: Context) => run(steps, context, unsafe(context)),
    check: checkKnown,
  }),
)
