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

export function secretOption(): Option {
  return new Option(
    '--secret <secrets...>',
    'the endpoint secret, or both the old and the new secret during a rotation',
  ).env(environment.webhookSecret)
}

/** Returns a parser that accepts only integers from `least` to `most`. */
export function integerParser(expected: string, least = 0, most = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`Expected ${expected}.`)
  }
}

export const parseWhole = integerParser('an integer from 0 to 65535', 0, 65_535)

/**
 * Rejects a blank token, for example from an empty environment variable, because it would let any caller control the
 * mock.
 */
function parseToken(text: string): string {
  if (text.trim() !== '') return text
  throw new InvalidArgumentError(
    `Expected a non-blank token. To use none, omit --token and unset ${environment.mockToken}.`,
  )
}

export function checkKey(key: string | undefined): asserts key is string {
  if (key) return
  throw new CommandFailure(`Expected an API key. Pass --key, or set ${environment.apiKey}.`, 2)
}

export function checkUrlFlag(url: string): void {
  if (parseBaseUrl(url) !== undefined) return
  throw new CommandFailure(`Expected --url to be ${expectedBaseUrl}.`, 2)
}

/** Thrown when a command fails. The message is shown to the user. */
export class CommandFailure extends Error {
  /** 1 if the command failed, 2 if its arguments are invalid. */
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}
