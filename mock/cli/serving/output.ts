import { styleText } from 'node:util'
import { environment } from '../../../src/contract/wire.ts'
import { controlDocumentPath, pagePath } from '../../control/paths.ts'
import type { HandledRequest } from '../../server/request-log.ts'
import type { MockServer } from '../../server/server.ts'
import type { ClockMode } from '../../state/clock/clock-modes.ts'
import type { LogFormat } from '../options.ts'

export function describeServer({ url, mock }: MockServer) {
  return {
    url,
    apiKey: mock.defaultTeam.apiKey,
    inspector: url + pagePath,
    control: url + controlDocumentPath,
  }
}

export function formatGreeting(
  server: MockServer,
  { seed, clock, strictKeys }: { seed: string; clock: ClockMode; strictKeys?: true },
): string {
  const { url, apiKey, inspector, control } = describeServer(server)
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

/** Formats text in bold, unless the output is piped or NO_COLOR is set. */
function bold(text: string): string {
  return styleText('bold', text, { stream: process.stdout })
}

export interface ServerLog {
  request(request: HandledRequest): void
  note(message: string): void
}

/** The number of unread bytes at which the log starts to drop lines. */
const mostBuffered = 1024 * 1024

/**
 * Returns a log that writes to standard error. `off` omits requests. Default format: lines in a terminal, otherwise
 * JSON.
 */
export function serverLog(format?: LogFormat): ServerLog {
  const output = process.stderr
  // The process that reads the log may end before the mock.
  output.on('error', () => {})
  const print = (line: string) => {
    if (output.writableLength < mostBuffered) output.write(`${line}\n`)
  }
  const isJson = format ? format === 'json' : !process.stderr.isTTY
  const { request, note } = isJson ? jsonFormat : lineFormat
  return {
    request: format === 'off' ? () => {} : (handled) => print(request(handled)),
    note: (message) => print(note(message)),
  }
}

const jsonFormat = {
  request: (request: HandledRequest) =>
    JSON.stringify({ at: new Date().toISOString(), ...request }),
  note: (message: string) => JSON.stringify({ at: new Date().toISOString(), message }),
}

const lineFormat = { request: formatRequest, note: (message: string) => message }

function formatRequest({ method, path, status, failure, duration }: HandledRequest): string {
  const time = new Date().toLocaleTimeString('en-GB')
  const result = [status, failure].filter((part) => part !== undefined).join(' ')
  const isFailure = failure !== undefined || (status ?? 0) >= 400
  const colour = isFailure ? 'red' : 'green'
  const shown = styleText(colour, result, { stream: process.stderr })
  return `${time}  ${method.padEnd(6)} ${printable(path)}  ${shown}  ${duration} ms`
}

/** Replaces control characters, which could change what a terminal shows. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?')
}
