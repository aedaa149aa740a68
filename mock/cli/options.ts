import { InvalidArgumentError, Option } from 'commander'
import { environment } from '../../src/contract/wire.ts'
import { expectedBaseUrl, parseBaseUrl } from '../../src/shared/base-url.ts'
import type { ClockMode } from '../state/clock/clock-modes.ts'

export const logFormats = ['lines', 'json', 'off'] as const

export type LogFormat = (typeof logFormats)[number]

export interface MockFlags {
  port: number
  host: string
  allowHost?: string[]
  seed: string
  now: string
  clock: ClockMode
  fixture?: string
  watch?: true
  state?: string
  autoTeamLimit: number
  strictKeys?: true
  cors?: true
  allowRemoteWebhooks?: true
  token?: string
  log?: LogFormat
  json?: true
}

export function keyOption(description = "the team's API key"): Option {
  return new Option('--key <key>', description).env(environment.apiKey)
}

export function tokenOption(description: string): Option {
  return new Option('--token <token>', description).env(environment.mockToken).argParser(parseToken)
}

/**
 * Rejects a blank token, for example from an empty environment variable, because it would let any caller control the
 * mock.
 */
function parseToken(text: string): string {
  if (text.trim() !== '') return text
  throw new InvalidArgumentError('Expected a non-blank token. Omit it to use none.')
}

export function checkKey(key: string | undefined): asserts key is string {
  if (key) return
  throw new CommandFailure(`Expected an API key. Pass --key, or set ${environment.apiKey}.`, 2)
}

export function checkUrlFlag(url: string): void {
  if (parseBaseUrl(url) !== undefined) return
  throw new CommandFailure(`Expected --url to be ${expectedBaseUrl}.`, 2)
}

/** Thrown when a command fails. The message is for the user. */
export class CommandFailure extends Error {
  /** 1 if the command failed, 2 if its arguments are invalid. */
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}
