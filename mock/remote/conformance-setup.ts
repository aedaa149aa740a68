import type {
  CatalogueSteps,
  MarkerOffer,
  Setup,
  TeamSettings,
} from '../../src/conformance/setup.ts'
import { MockError } from '../errors.ts'
import type { Mock } from '../mock.ts'
import type { TeamOptions } from '../state/defaults.ts'
import type { Team } from '../team.ts'
import { type ConnectOptions, connectMock } from './connect.ts'
import type { RemoteTeam } from './remote-team.ts'

/**
 * Returns the setup for running the conformance cases against a team of the mock. It provides users, orders, booking
 * keys, a clock, and teams with different settings.
 *
 * @example
 * const report = await runConformance({ ...team.connection(), setup: createConformanceSetup(mock, team) })
 */
export function createConformanceSetup(mock: Mock, team: Team = mock.defaultTeam): Setup {
  const another = (like: TeamSettings) => {
    const other = mock.team(optionsOf(like))
    return { apiKey: other.apiKey, setup: createConformanceSetup(mock, other) }
  }
  return { ...setupOf(team), team: another }
}

/**
 * Returns the setup for running the conformance cases against a team of a mock in another process. Sets the team's
 * clock to `auto`. Further teams are not available if the server rejects unknown API keys.
 *
 * @param url The URL of the mock server, such as `http://127.0.0.1:4010`.
 * @param apiKey The team's API key.
 * @throws {MockError} `invalid_option`, `unreachable` or `access_denied`, as in `connectMock`.
 * @example
 * const connection = { baseUrl: 'http://127.0.0.1:4010', apiKey: 'conformance' }
 * const setup = await connectConformanceSetup(connection.baseUrl, connection.apiKey)
 * const report = await runConformance({ ...connection, setup })
 */
export async function connectConformanceSetup(
  url: string,
  apiKey: string,
  options: ConnectOptions = {},
): Promise<Setup> {
  const team = connectMock(url, apiKey, options)
  await team.clock.setMode('auto')
  const openKeys = await hasOpenKeys(url, options)
  const another = async (like: TeamSettings) => {
    const key = newKey()
    await applyOptions(connectMock(url, key, options), like)
    return { apiKey: key, setup: await connectConformanceSetup(url, key, options) }
  }
  return { ...setupOf(team), ...(openKeys ? { openKeys, team: another } : {}) }
}

async function hasOpenKeys(url: string, options: ConnectOptions): Promise<boolean> {
  try {
    await connectMock(url, newKey(), options).settings()
    return true
  } catch (error) {
    if (error instanceof MockError && error.code === 'access_denied') return false
    throw error
  }
}

function newKey(): string {
  return `conformance-${crypto.randomUUID()}`
}

/** Returns an event reader. It reads each event only once, because creating the body takes time. */
function eventReader(team: Team | RemoteTeam): () => Promise<unknown[]> {
  const bodies: unknown[] = []
  let latest = 0
  return async () => {
    const events = 'state' in team ? team.state.outbox : team.events
    for (const event of await events.listAfter(latest)) {
      bodies.push(event.body)
      latest = event.number
    }
    return [...bodies]
  }
}

/** Returns a team's setup. Both kinds of team have the same methods, but a remote team's methods return promises. */
function setupOf(team: Team | RemoteTeam): Setup {
  // Without connections, a living user has no data yet.
  const user = async () => (await team.users.create({ connections: [] })).user_id
  const order = async (user_id?: string) =>
    team.orders.create({ user_id: user_id ?? (await user()) })
  return {
    user,
    userInfo: async (id) => (await team.users.get(id))?.info ?? null,
    insurances: async (user_id) => {
      const records = await team.insurances.list({ user_id })
      return records.map(({ insurance }) => insurance)
    },
    connections: async (user_id) => {
      const records = await team.connections.list({ user_id })
      return records.map(({ provider, provider_id, oauth_scopes }) => {
        return { provider, provider_id, oauth_scopes }
      })
    },
    payorCodes: async () => (await team.payors.list()).map(({ payor_code }) => payor_code),
    sourceTypes: async () => {
      const bySource = Map.groupBy(await team.providers.list(), ({ source_type }) => source_type)
      return Object.fromEntries(
        [...bySource].map(([source, providers]) => [source, providers.map(({ slug }) => slug)]),
      )
    },
    // Any unknown id will do, because an import never creates users.
    unimportableUser: () => crypto.randomUUID(),
    now: async () => (await team.clock.now()).toISOString(),
    signIn: async (token) => (await team.signIn(token)).user_id,
    addHealthData: async (user_id, rows) => {
      for (const resource of new Set(rows.map((row) => row.resource))) {
        const earlier = await team.data.list({ user_id, resource })
        for (const { id } of earlier) await team.data.delete(id)
      }
      for (const row of rows) await team.data.create({ user_id, ...row })
    },
    order: async (user_id) => (await order(user_id)).id,
    bookingKey: ({ outcome, after }) => `bk_${outcome}${after ? `_after_${after}ms` : ''}`,
    advance: (milliseconds) => team.clock.advance(milliseconds),
    connect: (user_id, provider) => team.connections.create({ user_id, provider }),
    ...catalogueSteps(team),
    trigger: (type, user_id) => team.trigger(type, { user_id }),
    events: eventReader(team),
    completedOrder: async () => team.orders.complete((await order()).id),
  }
}

/** Changes an existing team's settings and, by restoring a snapshot, its time. */
async function applyOptions(team: RemoteTeam, like: TeamSettings): Promise<void> {
  const { now, ...options } = optionsOf(like)
  if (now !== undefined) await team.restore({ ...(await team.snapshot()), now: String(now) })
  await team.configure(options)
}

function optionsOf({ importTime, ...like }: TeamSettings): TeamOptions {
  return importTime === undefined ? like : { ...like, importTimePerConnection: importTime }
}

function catalogueSteps({ catalogue }: Team | RemoteTeam): Required<CatalogueSteps> {
  return {
    async lab(offer) {
      const { id, slug } = await catalogue.labs.create()
      const ids = new Map<MarkerOffer, number>()
      for (const marker of offer.markers) {
        const expected_results = marker.expected_results.map((one) => ({ ...one, lab_id: id }))
        const price = marker.price ?? 'N/A'
        const input = { ...marker, price, lab_id: id, expected_results }
        ids.set(marker, (await catalogue.markers.create(input)).id)
      }
      const tests: string[] = []
      for (const markers of offer.tests) {
        const marker_ids = markers.flatMap((marker) => ids.get(marker) ?? [])
        tests.push((await catalogue.labTests.create({ lab_id: id, marker_ids })).id)
      }
      return { id, slug, markers: [...ids.values()], tests }
    },
    async labAccount(labs) {
      if (labs === 'all') return (await catalogue.labAccounts.create()).id
      const lab_ids = labs === 'none' ? [] : [...labs]
      return (await catalogue.labAccounts.create({ lab_ids })).id
    },
  }
}
