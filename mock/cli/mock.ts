import { styleText } from 'node:util'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { MockServer } from '../server/server.ts'
import type { ClockMode } from '../state/clock/clock-modes.ts'
import { tokenOption } from './address.ts'
import { Failure } from './failure.ts'

interface MockFlags {
  port: number
  host: string
  seed: string
  now?: string
  clock: ClockMode
  strictKeys?: true
  cors?: true
  token?: string
  json?: true
}

/** `health-lab-sdk mock`: serves the mock until it is interrupted. */
export const mock = new Command('mock')
  .description('Serve the service in memory, to clients in any language.')
  .addOption(
    new Option('-p, --port <number>', 'port; 0 for any free one').argParser(portOf).default(4010),
  )
  .option(
    '--host <address>',
    'address to listen at; others than this reach beyond this machine',
    '127.0.0.1',
  )
  .option('--seed <text>', 'the same seed, time and order of calls give the same answers', '1')
  .option('--now <time>', "the teams' time at the start, such as 2025-06-01T09:00:00Z")
  .addOption(
    new Option('--clock <mode>', 'how time passes: as on the wall, in jumps, or only when moved')
      .choices(['realtime', 'auto', 'manual'])
      .default('realtime'),
  )
  .option('--strict-keys', 'refuse API keys that no team has; else each new one makes a team')
  .option('--cors', 'let pages of any origin call the service')
  .addOption(tokenOption('let whoever sends it as x-mock-token control the mock'))
  .option('--json', 'print one line of JSON when the server is ready')
  .action(run)

function portOf(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('Expected a whole number from 0 to 65535.')
}

async function run({ json, ...flags }: MockFlags): Promise<void> {
  const server = await started(flags)
  const stop = () => void server.close()
  // A second interrupt finds no listener, and ends the process at once.
  process.once('SIGINT', stop).once('SIGTERM', stop)
  process.stdout.write(json ? `${JSON.stringify(factsOf(server))}\n` : greetingOf(server, flags))
}

async function started({
  port,
  host,
  seed,
  now,
  clock,
  ...access
}: MockFlags): Promise<MockServer> {
  // Help, and other commands, need no server.
  const { serve } = await import('../server/server.ts')
  try {
    return await serve({ seed, clock, ...(now ? { now } : {}) }, { port, host, ...access })
  } catch (error) {
    throw failureOf(error, port, host)
  }
}

function failureOf(error: unknown, port: number, host: string): unknown {
  const { code, message } = error as { code?: string; message: string }
  if (code === 'EADDRINUSE') {
    return new Failure(`Port ${port} is in use. Give another with --port, or 0 for any free one.`)
  }
  if (code === 'EACCES') {
    return new Failure(`Port ${port} needs rights that you do not have. Give one above 1023.`)
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new Failure(`There is no address ${host} on this machine. Give another with --host.`)
  }
  return code?.startsWith('invalid_') ? new Failure(message, 2) : error
}

function factsOf({ url, mock }: MockServer) {
  return {
    url,
    apiKey: mock.defaultTeam.apiKey,
    inspector: `${url}/__mock__/`,
    control: `${url}/__mock__/api/openapi.json`,
  }
}

function greetingOf(server: MockServer, { seed, clock, strictKeys }: MockFlags): string {
  const { url, apiKey, inspector, control } = factsOf(server)
  const others = strictKeys ? 'the only one' : 'any other makes a team of its own'
  const { now } = server.mock.defaultTeam.settings
  return `The service answers at ${bold(url)}

  key        ${apiKey}, ${others}
  time       ${now}, ${clock}; seed ${seed}
  inspector  ${bold(inspector)}
  control    ${control}

Paste this where your program runs:

  ${bold(`export SERVICE_BASE_URL=${url} SERVICE_API_KEY=${apiKey}`)}

Stop it with Ctrl+C.
`
}

/** Plain where nobody looks: in a pipe, or with NO_COLOR. */
function bold(text: string): string {
  return styleText('bold', text, { stream: process.stdout })
}
