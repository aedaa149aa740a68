import type { Issue } from '../../contract/schema-tools/check.ts'
import { environment } from '../../contract/wire.ts'
import { expectedBaseUrl, parseBaseUrl } from '../../shared/base-url.ts'
import { ownFields, withoutAddedFields } from '../../shared/own-fields.ts'
import { type Clock, resolveClock } from '../clock.ts'
import { isUnreadable } from '../copy-input.ts'
import { RequestValidationError } from '../errors/validation-errors.ts'
import { type HeaderPair, toLowerCaseHeaders } from '../headers.ts'
import type { Hooks } from '../hooks.ts'
import { Log, logLevels } from '../logger.ts'
import { findOptionIssues } from './check-options.ts'
import { type ClientOptions, clientOptionRules } from './client-options.ts'
import { copyOptions } from './copy-options.ts'
import { isBrowser, readEnvironment } from './environment.ts'
import type { Validation } from './request-options.ts'

/** A client's options, checked and complete. */
export interface ClientSettings {
  /** The API key, or the function that returns it. */
  apiKey: string | (() => string | Promise<string>)
  /** Origin and path of the service, without a slash at the end. */
  baseUrl: string
  /** Milliseconds for one attempt, without the service's own wait. */
  timeout: number
  /** Milliseconds for the whole call; undefined for the default, to which the service's own wait is added. */
  deadline: number | undefined
  /** Retries after the first attempt. */
  maxRetries: number
  /** The maximum number of concurrent calls; undefined without a limit. */
  maxConcurrency: number | undefined
  /** How responses are checked. */
  validation: Validation
  /** Whether messages of errors contain the service's own explanation. */
  exposeDetail: boolean
  /** The fetch function to use. */
  fetch: (request: Request) => Promise<Response>
  /** The time of all waits, timeouts and deadlines. */
  clock: Clock
  /** Extra headers. */
  headers: readonly HeaderPair[]
  /** Callbacks that observe calls. */
  hooks: Hooks
  /** Writes log lines. */
  log: Log
}

const defaults = { timeout: 30_000, maxRetries: 2, validation: 'strict' } as const

/**
 * Checks a client's options and adds the defaults.
 *
 * @throws {RequestValidationError} when an option is missing, unknown or out of range.
 */
export function resolveSettings(given: ClientOptions): ClientSettings {
  const options = copyOptions(given)
  if (isUnreadable(options)) throw toOptionsError(findOptionIssues(options, clientOptionRules))
  const {
    apiKey = readEnvironment(environment.apiKey),
    baseUrl = readEnvironment(environment.baseUrl),
  } = options
  const base = parseBaseUrl(baseUrl)
  const issues = [
    ...keyIssues(options.apiKey, apiKey),
    ...(base === undefined ? [baseUrlIssue(options.baseUrl, baseUrl)] : []),
    ...findOptionIssues(options, clientOptionRules),
    ...levelIssues(options),
    ...browserIssues(options),
  ]
  if (apiKey === undefined || base === undefined || issues.length > 0) throw toOptionsError(issues)
  return {
    apiKey,
    baseUrl: base,
    timeout: options.timeout ?? defaults.timeout,
    deadline: options.deadline,
    maxRetries: options.maxRetries ?? defaults.maxRetries,
    maxConcurrency: options.maxConcurrency,
    validation: options.validation ?? defaults.validation,
    exposeDetail: options.exposeDetail ?? false,
    fetch: options.fetch ?? ((request) => withoutAddedFields(() => globalThis.fetch(request))),
    clock: resolveClock(options.clock),
    headers: toLowerCaseHeaders(options.headers),
    hooks: options.hooks ?? ownFields({}),
    log: createLog(options),
  }
}

function toOptionsError(issues: Issue[]): RequestValidationError {
  return new RequestValidationError(issues, { operation: 'ServiceClient', route: '' })
}

const missingKey = `your team's API key. Pass it as the apiKey option, or set the ${environment.apiKey} environment variable`

const invalidKey = 'visible ASCII characters, without spaces and line breaks'

function keyIssues(option: unknown, apiKey: ClientOptions['apiKey']): Issue[] {
  if (typeof apiKey === 'function' || isApiKey(apiKey)) return []
  if (apiKey === undefined) return [{ path: 'apiKey', expected: missingKey }]
  return [{ path: 'apiKey', expected: invalidKey + variableNote(option, environment.apiKey) }]
}

/** Returns whether a value can be an API key. */
export function isApiKey(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)
}

const missingBaseUrl = `the service's URL. Pass it as the baseUrl option, or set the ${environment.baseUrl} environment variable`

/** Says whether the base URL is missing or invalid, and where an invalid one came from. */
function baseUrlIssue(option: unknown, baseUrl: string | undefined): Issue {
  if (baseUrl === undefined) return { path: 'baseUrl', expected: missingBaseUrl }
  return { path: 'baseUrl', expected: expectedBaseUrl + variableNote(option, environment.baseUrl) }
}

/** Names the environment variable when it was read in place of an option. */
function variableNote(option: unknown, variable: string): string {
  return option === undefined ? ` in the ${variable} environment variable` : ''
}

/** Without a logger, a level sends the lines to the console. */
function createLog({ logger, logLevel = environmentLevel() }: ClientOptions): Log {
  return new Log(logger ?? (logLevel ? console : ownFields({})), logLevel ?? 'debug')
}

/** Returns the level of the environment; undefined when it is not set or invalid. */
function environmentLevel(): ClientOptions['logLevel'] {
  const level = readEnvironment(environment.log)
  return logLevels.find((known) => known === level)
}

function levelIssues({ logLevel }: ClientOptions): Issue[] {
  const isValid = logLevel !== undefined || !readEnvironment(environment.log) || environmentLevel()
  if (isValid) return []
  const expected = `${logLevels.join(', ')} in the ${environment.log} environment variable`
  return [{ path: 'logLevel', expected }]
}

function browserIssues({ dangerouslyAllowBrowser }: ClientOptions): Issue[] {
  if (!isBrowser() || dangerouslyAllowBrowser) return []
  const expected =
    'true, because in a browser anyone can read the API key; call your own backend instead'
  return [{ path: 'dangerouslyAllowBrowser', expected }]
}
