import { suggestName } from '../contract/schema-tools/nearest.ts'
import { EventError } from '../events/errors.ts'
import { parseSecrets } from '../events/verify.ts'
import type { Awaitable } from '../shared/adopt.ts'
import { isObject } from '../shared/narrow.ts'
import { type AbortableProbe, fetchProbe, type Probe } from './probe.ts'
import { type ReceiverHandler, receiverTarget, type Target } from './receiver.ts'
import type { CertifyTeam } from './team.ts'

/** Functions that make the receiver fail or slow down once. */
export interface Simulation {
  /** Makes the receiver fail on the next event, as if its database were down. */
  failure?: () => Awaitable<unknown>
  /** Delays the receiver's handling of the next event by `milliseconds`. */
  delay?: (milliseconds: number) => Awaitable<unknown>
}

/** Options for {@link certify}. */
export interface CertifyOptions {
  /** The receiver's URL. Pass either `url` or `handler`. */
  url?: string | undefined
  /** The receiver as a Fetch API handler, as used by Hono, Next.js and Workers. */
  handler?: ReceiverHandler | undefined
  /** The endpoint's secret, in the form `whsec_<base64>`, or several secrets that the receiver accepts. */
  secret: string | readonly string[]
  /**
   * A function that returns what the receiver stored, or the URL of an endpoint that returns it. Default: none; cases
   * that need a probe are skipped.
   */
  probe?: Probe | string | undefined
  /**
   * A mock team with living users. `certify` sends a user's data events to the receiver, and compares the stored
   * records with the team's `truth`. Default: none; cases that need a team are skipped.
   */
  team?: CertifyTeam | undefined
  /**
   * The user id in the events, or a function that creates a user for the receiver and returns its id. Default: a random
   * UUID for each case.
   */
  user?: string | (() => Awaitable<string>) | undefined
  /** Functions that make the receiver fail or slow down once. Default: none; cases that need one are skipped. */
  simulate?: Simulation | undefined
  /** The time limit for a response, in milliseconds. Default: 15,000, the service's own limit (an assumption). */
  timeout?: number | undefined
  /** How long background work may take after a response, in milliseconds. Default: 100. */
  settleTime?: number | undefined
  /** Topics or ids of the cases to run, such as `signature` or `signature/valid`. Default: all. */
  only?: readonly string[] | undefined
  /** Topics or ids of the cases to skip. Default: none. */
  skip?: readonly string[] | undefined
}

export interface CertifySettings {
  target: Target
  secrets: readonly [string, ...string[]]
  probe: AbortableProbe | undefined
  team: CertifyTeam | undefined
  createUser: () => Awaitable<string>
  simulate: Simulation
  timeout: number
  settleTime: number
  only: readonly string[]
  skip: readonly string[]
}

const optionNames = Object.keys({
  url: true,
  handler: true,
  secret: true,
  probe: true,
  team: true,
  user: true,
  simulate: true,
  timeout: true,
  settleTime: true,
  only: true,
  skip: true,
} satisfies Record<keyof CertifyOptions, true>)

/**
 * @throws {TypeError} for an invalid or unknown option.
 * @throws {EventError} `secret_invalid` for a missing or malformed secret.
 */
export function parseCertifyOptions(options: CertifyOptions): CertifySettings {
  if (!isObject(options)) throw new TypeError('Expected the options of certify to be an object.')
  checkNames(options)
  const { secret, probe, team, user, simulate = {}, only = [], skip = [] } = options
  const { timeout = 15_000, settleTime = 100 } = options
  checkTeam(team)
  checkKind('probe', isTextOrFunction(probe), 'a function or a URL')
  checkKind('user', isTextOrFunction(user), 'a user id or a function')
  checkKind('only', Array.isArray(only), 'an array of topics or case ids')
  checkKind('skip', Array.isArray(skip), 'an array of topics or case ids')
  checkSimulation(simulate)
  checkMilliseconds('timeout', timeout, 1)
  checkMilliseconds('settleTime', settleTime, 0)
  return {
    target: parseTarget(options),
    secrets: parseSecrets(secret),
    probe: typeof probe === 'string' ? fetchProbe(parseUrl('probe', probe)) : probe,
    team,
    createUser: typeof user === 'function' ? user : () => user ?? crypto.randomUUID(),
    ...{ simulate, timeout, settleTime, only, skip },
  }
}

export function isOptionError(error: unknown): error is Error {
  return error instanceof TypeError || error instanceof EventError
}

function parseTarget({ url, handler }: CertifyOptions): Target {
  if ((url === undefined) === (handler === undefined)) {
    throw new TypeError(
      'Expected the options of certify to contain either url or handler, but not both.',
    )
  }
  if (url !== undefined) return receiverTarget({ url: parseUrl('url', url) })
  if (typeof handler === 'function') return receiverTarget({ handler })
  throw new TypeError(
    'Expected handler to be a function that takes a Request and returns a Response.',
  )
}

function parseUrl(name: string, url: string): string {
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new TypeError(`Expected ${name} to be an http or https URL.`)
  }
  // `fetch` rejects URLs that contain credentials.
  const { username, password } = new URL(url)
  if (!username && !password) return url
  throw new TypeError(`Expected ${name} to contain neither a user name nor a password.`)
}

function checkNames(options: CertifyOptions): void {
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name))
  if (unknown === undefined) return
  throw new TypeError(
    `Unknown option '${unknown}' of certify. ${suggestName(unknown, optionNames)}`,
  )
}

function checkTeam(team: unknown): void {
  const isTeam = isObject(team) && 'truth' in team && 'events' in team && 'clock' in team
  if (team === undefined || isTeam) return
  throw new TypeError(
    'Expected team to be a mock team, such as createMock({ living: true }).team().',
  )
}

function isTextOrFunction(value: unknown): boolean {
  return value === undefined || typeof value === 'string' || typeof value === 'function'
}

function checkSimulation(simulate: Simulation): void {
  const names = ['failure', 'delay']
  const isValid =
    isObject(simulate) &&
    Object.entries(simulate).every(
      ([name, value]) =>
        names.includes(name) && (value === undefined || typeof value === 'function'),
    )
  checkKind('simulate', isValid, `an object with the functions ${names.join(' and ')}`)
}

function checkKind(name: keyof CertifyOptions, isValid: boolean, expected: string): void {
  if (!isValid) throw new TypeError(`Expected ${name} to be ${expected}.`)
}

function checkMilliseconds(name: string, value: number, minimum: number): void {
  if (Number.isFinite(value) && value >= minimum) return
  throw new TypeError(`Expected ${name} to be a number of milliseconds, ${minimum} or more.`)
}
