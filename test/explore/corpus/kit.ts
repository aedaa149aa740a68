import {
  type ConnectionRecipe,
  type InsuranceInput,
  type OrderInput,
  ServiceClient,
  ServiceError,
  type UserInfoInput,
} from 'health-lab-sdk'
import {
  type ExploreOptions,
  type ExploreReport,
  type ExploreTools,
  explore,
} from 'health-lab-sdk/mock/explore'

/** A small program, with or without a bug. */
export interface Integration {
  /** What it does; for a flawed one, the bug. */
  name: string
  /** Explores it. */
  explore(budget: ExploreOptions<object>['budget']): Promise<ExploreReport>
  /** Replays a line. */
  replay(line: string): Promise<ExploreReport>
  /** The program, for another harness. */
  options: ExploreOptions<object>
}

/** Names the options of a program. */
export function integration<Context extends object>(
  name: string,
  options: ExploreOptions<Context>,
): Integration {
  const quiet = { ...options, print: () => {} }
  return {
    name,
    explore: (budget = {}) => explore({ ...quiet, budget }),
    replay: (line) => explore.replay(line, quiet),
    options: options as unknown as ExploreOptions<object>,
  }
}

/** The patient of all programs. */
export const patient = '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55'

const person = { first_name: 'Maria', last_name: 'Lopez', gender: 'female', dob: '1954-03-08' }
const contact = { email: 'maria@example.com', phone_number: '+16025550100' }
const address = {
  first_line: '1 Main Street',
  city: 'Phoenix',
  state: 'AZ',
  zip: '85004',
  country: 'US',
}

export const info: UserInfoInput = {
  ...person,
  ...contact,
  address: { first_line: '1 Main Street', zip_code: '85004', state: 'AZ', city: 'Phoenix' },
}

export const insurance: InsuranceInput = {
  payor_code: 'MEDFED',
  member_id: 'M-1954',
  relationship: 'Self',
  insured: { ...person, ...contact, address },
}

/** Returns an order of a lab test of the catalogue, by its place. */
export function orderOf({ team }: Pick<ExploreTools, 'team'>, place = 0): OrderInput {
  const test = team.catalogue.labTests.list({ method: 'at_home_phlebotomy' })[place]
  return {
    user_id: patient,
    patient_details: { ...person, ...contact },
    patient_address: address,
    order_set: { lab_test_ids: [test?.id ?? ''] },
  }
}

export function recipeOf(user_id: string): ConnectionRecipe {
  const tokens = { access_token: 'access', refresh_token: 'refresh', expires_at: 2_147_483_647 }
  return { user_id, provider_id: 'id-at-the-provider', ...tokens }
}

/** Returns the database and the client of a program. */
export function base({ connection }: ExploreTools) {
  return {
    client: new ServiceClient(connection),
    db: {
      /** Statuses by id. */
      orders: new Map<string, string>(),
      appointments: new Map<string, string>(),
      insurances: new Set<string>(),
      connections: new Set<string>(),
      seen: new Set<string>(),
      jobs: new Map<string, string>(),
      people: [] as string[],
      cursor: 0,
    },
  }
}

/** What {@link base} returns. */
export type Base = ReturnType<typeof base>

/** As {@link base}, with an order to book and its key. */
export function withOrder(tools: ExploreTools) {
  const order = tools.team.orders.create({
    user_id: tools.team.users.create({ user_id: patient }).user_id,
  })
  return { ...base(tools), order: order.id, booking_key: tools.team.bookings.key() }
}

/** As {@link base}, with users to import. */
export function withUsers(tools: ExploreTools) {
  const users = Array.from({ length: 6 }, () => tools.team.users.create({ info: null }).user_id)
  return { ...base(tools), users }
}

/** Returns what the database has, for the check. */
export function stored({ db }: Base) {
  return { stored: { orders: [...db.orders.keys()], appointments: [...db.appointments.keys()] } }
}

/** Whether an error proves that a call had no effect. */
export function hadNoEffect(error: unknown): boolean {
  return error instanceof ServiceError && ['not-sent', 'rejected'].includes(error.outcome)
}

/** An event as a receiver reads it. */
export interface Message {
  id: string
  type: string
  user: string
  // biome-ignore lint/suspicious/noExplicitAny: receivers in JavaScript read any field
  data: any
}

/** Adds a receiver that acknowledges an event unless its function throws. */
export function receive(
  { team }: Pick<ExploreTools, 'team'>,
  handle: (message: Message) => unknown,
  types: readonly string[] = ['*'],
): void {
  const handler = async (request: Request) => {
    const { event_type: type, user_id: user, data } = await request.json()
    const id = request.headers.get('webhook-id') ?? ''
    try {
      await handle({ id, type, user, data })
      return new Response(null, { status: 204 })
    } catch {
      return new Response(null, { status: 500 })
    }
  }
  team.webhooks.add({ handler, types })
}

/** Sends JSON without the client of this package, like a hand-written one. */
export async function post(
  { connection }: Pick<ExploreTools, 'connection'>,
  path: string,
  body: unknown,
): Promise<Response> {
  return connection.fetch(`${connection.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'x-service-api-key': connection.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}
