import { styleText } from 'node:util'
import type { HandledRequest } from '../../server/request-log.ts'
import type { LogFormat } from '../options.ts'

export interface ServerLog {
  request(request: HandledRequest): void
  note(message: string): void
}

/** While this many characters are waiting to be read, the log drops lines. */
const mostBuffered = 1024 * 1024

/** Returns a log that writes to standard error. `off` omits requests. Default format: lines in a terminal, otherwise JSON. */
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
