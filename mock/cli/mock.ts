import { styleText } from 'node:util'
import { Command, InvalidArgumentError, Option } from 'commander'
import { environment } from '../../src/contract/wire.ts'
import { controlDocumentPath, defaultPort, pagePath, tokenHeader } from '../control/paths.ts'
import type { MockServer } from '../server/server.ts'
import { type ClockMode, clockModes } from '../state/clock/clock-modes.ts'
import { defaultSettings, mockDefaults } from '../state/defaults.ts'
import { CommandFailure } from './failure.ts'
import { tokenOption } from './options.ts'

interface MockFlags {
  port: number
  host: string
  seed: string
  now: string
  clock: ClockMode
  autoTeamLimit: number
  strictKeys?: true
  cors?: true
  token?: string
  json?: true
}

/** `health-lab-sdk mock`: serves a mock until it is interrupted. */
export const mock = new Command('mock')
  .description('Serve a mock of the service, to clients in any language.')
  .addOption(
    new Option('-p, --port <number>', 'port; 0 selects any free port')
      .argParser(parsePort)
      .default(defaultPort),
  )
  .option(
    '--host <address>',
    'address to listen on; other addresses make the mock reachable from other machines',
    '127.0.0.1',
  )
  .option(
    '--seed <seed>',
    'seed; the same seed, time and order of calls give the same responses',
    String(mockDefaults.seed),
  )
  .option('--now <time>', 'virtual time at the start', String(defaultSettings.now))
  .addOption(
    new Option(
      '--clock <mode>',
      'how virtual time passes: auto jumps to the next event while a request waits, manual moves only when you advance it, realtime passes like real time',
    )
      .choices(clockModes)
      .default('realtime'),
  )
  .option('--strict-keys', 'reject unknown API keys; by default each one creates a team')
  .addOption(
    new Option(
      '--auto-team-limit <number>',
      'number of teams to keep for unknown API keys; beyond it, the least recently used one is deleted',
    )
      .argParser(parseCount)
      .default(mockDefaults.autoTeamLimit),
  )
  .option('--cors', 'allow pages of any origin to call the service')
  .addOption(tokenOption(`control token; requests to the control API send it as ${tokenHeader}`))
  .option('--json', 'print one line of JSON when the server is ready')
  .action(run)

function parsePort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('Expected an integer from 0 to 65535.')
}

function parseCount(text: string): number {
  const count = Number(text)
  if (/^\d+$/.test(text) && count >= 1 && Number.isSafeInteger(count)) return count
  throw new InvalidArgumentError('Expected an integer of at least 1.')
}

async function run({ json, ...flags }: MockFlags): Promise<void> {
  const server = await startServer(flags)
  const stop = () => void server.close()
  // Without a listener, a second interrupt ends the process at once.
  process.once('SIGINT', stop).once('SIGTERM', stop)
  process.stdout.write(
    json ? `${JSON.stringify(describe(server))}\n` : formatGreeting(server, flags),
  )
}

async function startServer(flags: MockFlags): Promise<MockServer> {
  const { port, host, seed, now, clock, autoTeamLimit, ...access } = flags
  // Help and the other commands need no server.
  const { serve } = await import('../server/server.ts')
  try {
    return await serve({ seed, now, clock, autoTeamLimit }, { port, host, ...access })
  } catch (error) {
    throw toFailure(error, port, host)
  }
}

function toFailure(error: unknown, port: number, host: string): unknown {
  // Errors of Node and of the mock have a code.
  const { code, message } = error as { code?: string; message: string }
  if (code === 'EADDRINUSE') {
    return new CommandFailure(
      `Port ${port} is in use. Use another one with --port, or any free one with --port 0.`,
    )
  }
  if (code === 'EACCES') {
    return new CommandFailure(`Permission denied to listen on port ${port}. Use a port above 1023.`)
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new CommandFailure(`This machine has no address ${host}. Use another one with --host.`)
  }
  return code?.startsWith('invalid_') ? new CommandFailure(message, 2) : error
}

function describe({ url, mock }: MockServer) {
  return {
    url,
    apiKey: mock.defaultTeam.apiKey,
    inspector: url + pagePath,
    control: url + controlDocumentPath,
  }
}

function formatGreeting(server: MockServer, { seed, clock, strictKeys }: MockFlags): string {
  const { url, apiKey, inspector, control } = describe(server)
  const others = strictKeys ? 'the only valid key' : 'any other key creates its own team'
  const { now } = server.mock.defaultTeam.settings
  return `The mock is running at ${bold(url)}

  key        ${apiKey}, ${others}
  time       ${now}, ${clock}; seed ${seed}
  inspector  ${bold(inspector)}
  control    ${control}

Paste this where your program runs:

  ${bold(`export ${environment.baseUrl}=${url} ${environment.apiKey}=${apiKey}`)}

Press Ctrl+C to stop.
`
}

/** Formats text in bold, except in a pipe or with NO_COLOR. */
function bold(text: string): string {
  return styleText('bold', text, { stream: process.stdout })
}
