import type { Mock } from '../../mock.ts'
import type { HandledRequest } from '../../server/request-log.ts'
import { type MockServer, type ServeOptions, serve } from '../../server/server.ts'
import type { MockOptions } from '../../state/defaults.ts'
import type { MockFlags } from '../options.ts'
import { CommandFailure } from '../options.ts'
import type { CheckedFixture } from './fixture-file.ts'
import { fileVersionOf, watchFile } from './fixture-file.ts'
import { describeServer, formatGreeting, type ServerLog, serverLog } from './output.ts'
import { stopSignal } from './signals.ts'
import {
  openState,
  type ReadState,
  readState,
  type StateFile,
  stateFileContent,
  unwritable,
  writeState,
} from './state-file.ts'
import { StateSaver } from './state-saver.ts'

interface Serving {
  flags: MockFlags
  log: ServerLog
  saved: ReadState | undefined
}

/** The maximum time to wait for in-flight deliveries at shutdown, in milliseconds. */
const deliveryGracePeriod = 2000

/** @throws {CommandFailure} when a flag is invalid, a file cannot be used, or the server cannot listen. */
export async function serveUntilStopped(flags: MockFlags): Promise<void> {
  checkWatch(flags)
  // If a signal arrives during startup, the server stops right after it has started.
  const stopped = stopSignal()
  const log = serverLog(flags.log)
  const version = await watchedVersion(flags)
  const state = flags.state === undefined ? undefined : await openState(flags.state)
  const saved = state && (await readState(state.path, flags.seed))
  const server = await startServer(flags, saved, log.request)
  const saver = state && (await keepState(server, state, { flags, log, saved }))
  const stopWatching = watch(server, version, { flags, log, saved })
  process.stdout.write(
    flags.json ? `${JSON.stringify(describeServer(server))}\n` : formatGreeting(server, flags),
  )
  await stopped
  stopWatching()
  await server.close()
  await endDeliveries(server.mock)
  if (saver && !(await saver.close())) process.exitCode = 1
  // Do not wait for remaining work, such as a delivery without a response. The state has been saved.
  process.exit()
}

/** Waits briefly for in-flight deliveries, so a restart does not send them again. */
async function endDeliveries(mock: Mock): Promise<void> {
  const teams = mock.teams().filter(({ isUsed }) => isUsed)
  const ended = Promise.all(teams.map(({ webhooks }) => webhooks.idle()))
  const late = new Promise((resolve) => setTimeout(resolve, deliveryGracePeriod))
  await Promise.race([ended, late])
}

function checkWatch({ watch, fixture }: MockFlags): void {
  if (watch && fixture === undefined) {
    throw new CommandFailure('Expected a file to watch. Pass --fixture.', 2)
  }
}

async function watchedVersion({ watch, fixture }: MockFlags): Promise<string | undefined> {
  return watch && fixture !== undefined ? fileVersionOf(fixture) : undefined
}

/** Starts the server. Loads the fixture and the saved state before the first request arrives. */
async function startServer(
  flags: MockFlags,
  saved: ReadState | undefined,
  log: (request: HandledRequest) => void,
): Promise<MockServer> {
  const { port, host, allowHost, seed, clock, autoTeamLimit, strictKeys, cors, token } = flags
  const allowRemoteWebhooks = flags.allowRemoteWebhooks ?? false
  const fixture = await readFixture(flags)
  const now = flags.now === 'now' ? new Date() : flags.now
  const access = { strictKeys: strictKeys ?? false, cors: cors ?? false, ...(token && { token }) }
  const hosts = { host, ...(allowHost && { allowedHosts: allowHost }) }
  const options = { port, ...hosts, allowRemoteWebhooks, log, ...access }
  const server = await listen({ seed, now, clock, autoTeamLimit }, options)
  try {
    if (fixture || saved?.kills) prepareTeams(server.mock, saved, fixture)
    saved?.restore(server.mock)
    return server
  } catch (error) {
    await server.close()
    throw error
  }
}

async function readFixture({
  fixture,
  allowRemoteWebhooks,
}: MockFlags): Promise<CheckedFixture | undefined> {
  if (fixture === undefined) return undefined
  const allowsRemoteWebhooks = allowRemoteWebhooks ?? false
  // Most mocks have no fixture, and start faster without the YAML parser and the fixture schemas.
  const { readFixtureFile } = await import('./fixture-file.ts')
  return readFixtureFile(fixture, { allowsRemoteWebhooks })
}

/** Sets the fixture and the event ids that every team starts with, and resets the existing teams. */
function prepareTeams(
  mock: Mock,
  { kills }: { kills: number } = { kills: 0 },
  fixture?: CheckedFixture,
): void {
  const prepare: CheckedFixture = (team) => {
    for (let kill = 0; kill < kills; kill += 1) team.outbox.restart()
    fixture?.(team)
  }
  mock.setHooks({ prepare })
  for (const team of mock.teams()) if (team.isUsed) team.reset()
}

async function listen(
  mock: MockOptions,
  options: ServeOptions & { port: number; host: string },
): Promise<MockServer> {
  try {
    return await serve(mock, options)
  } catch (error) {
    throw toFailure(error, options)
  }
}

function toFailure(error: unknown, { port, host }: { port: number; host: string }): unknown {
  // Errors from Node and from the mock have a code.
  const { code, message }: { code?: string; message: string } = Object(error)
  if (code === 'EADDRINUSE') {
    return new CommandFailure(
      `Port ${port} is in use. Choose another with --port, or use any free port with --port 0.`,
    )
  }
  if (code === 'EACCES') {
    return new CommandFailure(
      `Permission to listen on port ${port} was denied. Use a port above 1023.`,
    )
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new CommandFailure(
      `${host} is not an address of this machine. Choose another with --host or the HOST variable.`,
    )
  }
  return code?.startsWith('invalid_') ? new CommandFailure(message, 2) : error
}

/**
 * Saves the state now and after each change.
 *
 * @throws {CommandFailure} when the file cannot be written.
 */
async function keepState(
  server: MockServer,
  state: StateFile,
  { flags, log, saved }: Serving,
): Promise<StateSaver> {
  const { mock } = server
  const { seed } = flags
  const { kills } = saved ?? {}
  const saver = new StateSaver(
    (save) => stateFileContent(mock, { seed, kills, ...save }),
    (content) => writeState(state, content),
    log.note,
  )
  mock.setHooks({ onChange: () => saver.changed() })
  try {
    await saver.now()
    return saver
  } catch (error) {
    await server.close()
    throw unwritable(state.path, error)
  }
}

function watch(
  { mock }: MockServer,
  version: string | undefined,
  { flags, log, saved }: Serving,
): () => void {
  if (version === undefined || flags.fixture === undefined) return () => {}
  return watchFile(flags.fixture, version, async () => {
    try {
      const fixture = await readFixture(flags)
      if (fixture) prepareTeams(mock, saved, fixture)
      log.note(`All teams were reset to ${flags.fixture}.`)
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error
      log.note(`${error.message} The teams are unchanged.`)
    }
  })
}
