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

export interface ClientSettings {
  apiKey: string | (() => string | Promise<string>)
  /** The service's origin and path, without a trailing slash. */
  baseUrl: string
  /** The timeout for one attempt in milliseconds, excluding the service's own wait. */
  timeout: number
  /** The time limit for the whole call in milliseconds. Undefined means the default plus the service's own wait. */
  deadline: number | undefined
  maxRetries: number
  /** Undefined means no limit. */
  maxConcurrency: number | undefined
  validation: Validation
  exposeDetail: boolean
  fetch: (request: Request) => Promise<Response>
  clock: Clock
  headers: readonly HeaderPair[]
  hooks: Hooks
  log: Log
}

const defaults = { timeout: 30_000, maxRetries: 2, validation: 'strict' } as const

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

const invalidKey = 'visible ASCII characters (no spaces or line breaks)'

function keyIssues(option: unknown, apiKey: ClientOptions['apiKey']): Issue[] {
  if (typeof apiKey === 'function' || isApiKey(apiKey)) return []
  if (apiKey === undefined) return [{ path: 'apiKey', expected: missingKey }]
  return [{ path: 'apiKey', expected: invalidKey + variableNote(option, environment.apiKey) }]
}

export function isApiKey(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)
}

const missingBaseUrl = `the service's URL. Pass it as the baseUrl option, or set the ${environment.baseUrl} environment variable`

function baseUrlIssue(option: unknown, baseUrl: string | undefined): Issue {
  if (baseUrl === undefined) return { path: 'baseUrl', expected: missingBaseUrl }
  return { path: 'baseUrl', expected: expectedBaseUrl + variableNote(option, environment.baseUrl) }
}

function variableNote(option: unknown, variable: string): string {
  return option === undefined ? ` in the ${variable} environment variable` : ''
}

/** Creates the log, which writes to the console if only a level is set. */
function createLog({ logger, logLevel = environmentLevel() }: ClientOptions): Log {
  return new Log(logger ?? (logLevel ? console : ownFields({})), logLevel ?? 'debug')
}

function environmentLevel(): ClientOptions['logLevel'] {
  const level = readEnvironment(environment.log)
  return logLevels.find((known) => known === level)
}

function levelIssues({ logLevel }: ClientOptions): Issue[] {
  const isValid = logLevel !== undefined || !readEnvironment(environment.log) || environmentLevel()
  if (isValid) return []
  const expected = `one of ${logLevels.join(', ')} in the ${environment.log} environment variable`
  return [{ path: 'logLevel', expected }]
}

function browserIssues({ dangerouslyAllowBrowser }: ClientOptions): Issue[] {
  if (!isBrowser() || dangerouslyAllowBrowser) return []
  const expected = 'true in a browser, where anyone can read the API key; call your backend instead'
  return [{ path: 'dangerouslyAllowBrowser', expected }]
}
