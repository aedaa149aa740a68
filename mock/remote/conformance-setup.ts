import type { Setup, TeamSettings } from '../../src/conformance/setup.ts'
import { MockError } from '../errors.ts'
import type { Mock } from '../mock.ts'
import type { TeamOptions } from '../state/defaults.ts'
import type { Team } from '../team.ts'
import { type ConnectOptions, connectMock } from './connect.ts'
import type { RemoteTeam } from './remote-team.ts'

/**
 * Returns what the conformance cases need from a team of the mock: users, orders, booking keys with a given outcome, a
 * clock, and further teams with other settings.
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
 * Returns what the conformance cases need from a team of a mock that another process serves, and sets its clock to
 * `auto`. A mock with strict keys offers no further teams.
 *
 * @param url The URL of the mock server, such as `http://127.0.0.1:4010`.
 * @param apiKey The API key of the team.
 * @throws {MockError} `unreachable` or `access_denied`, as for `connectMock`.
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

/** Returns whether a served mock creates a team for an unknown API key. */
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

/** Returns a function that reads the bodies of the events. It reads each body once, because making one takes time. */
function eventReader(team: Team | RemoteTeam): () => Promise<unknown[]> {
  const bodies: unknown[] = []
  let latest = 0
  return async () => {
    for (const event of await team.events.list()) {
      if (event.number <= latest) continue
      bodies.push(event.body)
      latest = event.number
    }
    return [...bodies]
  }
}

/** Both kinds of team have the same methods; those of a remote one return promises. */
function setupOf(team: Team | RemoteTeam): Setup {
  return {
    user: async () => (await team.users.create()).user_id,
    order: async () => (await team.orders.create()).id,
    bookingKey: ({ outcome, after }) => `bk_${outcome}${after ? `_after_${after}ms` : ''}`,
    advance: (milliseconds) => team.clock.advance(milliseconds),
    connect: (user_id, provider) => team.connections.create({ user_id, provider }),
    labAccount: async (labs) => {
      const account = labs === 'all' ? {} : { lab_ids: [] }
      return (await team.catalogue.labAccounts.create(account)).id
    },
    trigger: (type, user_id) => team.trigger(type, { user_id }),
    events: eventReader(team),
    completedOrder: async () => team.orders.complete((await team.orders.create()).id),
  }
}

/** Changes an existing team: its settings, and its time by restoring a snapshot. */
async function applyOptions(team: RemoteTeam, like: TeamSettings): Promise<void> {
  const { now, ...options } = optionsOf(like)
  if (now !== undefined) await team.restore({ ...(await team.snapshot()), now: String(now) })
  await team.configure(options)
}

function optionsOf({ importTime, ...like }: TeamSettings): TeamOptions {
  return importTime === undefined ? like : { ...like, importTimePerConnection: importTime }
}
