import type { Issue } from '../contract/schema/check.ts'
import type { Deprecation } from '../contract/schema/endpoint.ts'
import { type Outcome, RequestValidationError } from './errors.ts'
import { type ExtraHeaders, headerIssues, headerPairs, lowerCased } from './headers.ts'
import { attempted, isUnreadable } from './input-copy.ts'
import { isSignal } from './transport/cancellation.ts'
import { Gate } from './transport/gate.ts'
import { unknownOptions } from './unknown-options.ts'

/** How answers are checked: `strict` throws, `report` tells `hooks.drift` and returns the answer, `off` checks nothing. */
export type Validation = 'strict' | 'report' | 'off'

/** What every hook is told: the operation and its route template. Hooks get no ids, bodies, queries or keys. */
export interface HookEvent {
  operation: string
  /** Method and path template, such as `PATCH /v2/user/{user_id}/info`. */
  route: string
}

/** An attempt begins. */
export interface RequestEvent extends HookEvent {
  /** 1 for the first attempt. */
  attempt: number
}

/** An attempt ended, with a status or with the code of its failure. */
export interface ResponseEvent extends RequestEvent {
  status?: number
  code?: string
  /** What is known of this attempt's effect on the service. */
  outcome: Outcome
  /** Milliseconds. */
  duration: number
  requestId?: string | undefined
}

/** Another attempt follows. */
export interface RetryEvent extends RequestEvent {
  /** Milliseconds until the next attempt. */
  delay: number
}

/** An answer departs from the specification as this version of the package knows it. */
export interface DriftEvent extends HookEvent {
  /**
   * `field`: fields the specification does not name; `value`: a value it does not list; `format`: another format;
   * `required`: absent; `invalid`: refused by the schema, under `validation: 'report'`.
   */
  kind: 'field' | 'value' | 'format' | 'required' | 'invalid'
  /** Where in the answer, such as `answer.markers[].type`; a name that the specification does not know shows as `*`. */
  path: string
  expected: string
}

/** A deprecated request field is used. */
export interface DeprecationEvent extends HookEvent, Deprecation {
  /** The field, such as `lab_test_id`. */
  field: string
}

/** Observers of calls. What they throw, return or reject with is ignored: observing never changes a call's outcome. */
export interface Hooks {
  /** Called before every attempt. */
  request?(event: RequestEvent): void
  /** Called after every attempt. */
  response?(event: ResponseEvent): void
  /** Called before a wait for the next attempt. */
  retry?(event: RetryEvent): void
  /** Called once per distinct departure. */
  drift?(event: DriftEvent): void
  /** Called at the first use of each deprecated field. */
  deprecation?(event: DeprecationEvent): void
}

/** The names of all hooks. */
export const hookNames = ['request', 'response', 'retry', 'drift', 'deprecation'] as const

/** Where log lines go; `console` fits. Lines hold what hooks are told, nothing more. */
export interface Logger {
  /** Told at the end of every attempt. */
  debug?(message: string, fields: object): void
  /** Told of repeated attempts, departures from the specification and deprecated fields in use. */
  warn?(message: string, fields: object): void
}

/** Options of one call; they win over the client's. */
export interface RequestOptions {
  /** Aborts the call; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Milliseconds for one attempt, headers and body; of a download, also the longest time without a byte. It holds exactly. */
  timeout?: number | undefined
  /** Milliseconds for the whole call: attempts, waits, bodies, and the reading of a download. It holds exactly. */
  deadline?: number | undefined
  /** Attempts after the first one, where the operation may be repeated. */
  maxRetries?: number | undefined
  headers?: ExtraHeaders | undefined
  validation?: Validation | undefined
}

/** Options of a client. */
export interface ClientOptions {
  /**
   * The team's API key, or a function that gives it, called anew for every attempt.
   * Default: the environment variable `SERVICE_API_KEY`.
   */
  apiKey?: string | (() => string | Promise<string>) | undefined
  /** Where the service is, http or https. Default: the environment variable `SERVICE_BASE_URL`. */
  baseUrl?: string | undefined
  /**
   * Milliseconds for one attempt, headers and body. The time that the service itself may wait (a synchronous booking,
   * a waiting bulk import) is added. Default: 30,000.
   */
  timeout?: number | undefined
  /**
   * Milliseconds for the whole call: attempts, waits, bodies, and the reading of a download. It holds exactly. Default:
   * 90,000, to which the service's own wait is added.
   */
  deadline?: number | undefined
  /** Attempts after the first one, where the operation may be repeated. Default: 2. */
  maxRetries?: number | undefined
  /** Calls under way at a time; those above it wait their turn. Default: no limit. */
  maxConcurrency?: number | undefined
  /** How answers are checked. Default: `strict`. */
  validation?: Validation | undefined
  /** The fetch to use. Default: the global one. */
  fetch?: ((request: Request) => Promise<Response>) | undefined
  /** Headers to add to every request. */
  headers?: ExtraHeaders | undefined
  hooks?: Hooks | undefined
  logger?: Logger | undefined
  /** Allows use in a browser, where everyone who opens the page can read the key. Default: false. */
  dangerouslyAllowBrowser?: boolean | undefined
}

/** A client's options, checked and complete. */
export interface Settings {
  apiKey: string | (() => string | Promise<string>)
  baseUrl: string
  timeout: number
  /** Undefined for the default, to which the service's own wait is added. */
  deadline: number | undefined
  maxRetries: number
  gate: Gate | undefined
  validation: Validation
  fetch: (request: Request) => Promise<Response>
  /** By names in lower case. */
  headers: Record<string, string>
  hooks: Hooks
  logger: Logger
}

/** The greatest time in milliseconds that a timer can run; a greater one would end at once. */
export const greatestTimer = 2 ** 31 - 1
const validations: readonly unknown[] = ['strict', 'report', 'off'] satisfies Validation[]

// As objects, so that the compiler finds an option that is left out.
const callOptions: Record<keyof RequestOptions, true> = {
  signal: true,
  timeout: true,
  deadline: true,
  maxRetries: true,
  headers: true,
  validation: true,
}
const clientOptions: Record<keyof ClientOptions, true> = {
  apiKey: true,
  baseUrl: true,
  timeout: true,
  deadline: true,
  maxRetries: true,
  maxConcurrency: true,
  validation: true,
  fetch: true,
  headers: true,
  hooks: true,
  logger: true,
  dangerouslyAllowBrowser: true,
}

/**
 * Checks a client's options and fills in the defaults.
 *
 * @throws {RequestValidationError} when an option is missing, unknown or out of its bounds.
 */
export function settingsOf(given: ClientOptions): Settings {
  const options = snapshotOptions(given)
  if (isUnreadable(options)) throw refusal([{ path: 'options', expected: 'an object of options' }])
  const { apiKey = environment('SERVICE_API_KEY'), baseUrl = environment('SERVICE_BASE_URL') } =
    options
  const base = parseBaseUrl(baseUrl)
  const issues = [
    ...keyIssues(apiKey),
    ...(typeof base === 'string' ? [] : [base]),
    ...commonIssues(options),
    ...numberIssues(options, 'maxConcurrency', 1),
    ...fetchIssues(options),
    ...observerIssues(options, 'hooks', hookNames),
    ...observerIssues(options, 'logger', ['debug', 'warn']),
    ...browserIssues(options),
    ...unknownOptions(options, Object.keys(clientOptions)),
  ]
  if (apiKey === undefined || typeof base !== 'string' || issues.length > 0) throw refusal(issues)
  const { maxConcurrency, fetch = (request) => globalThis.fetch(request) } = options
  return {
    apiKey,
    baseUrl: base,
    timeout: options.timeout ?? 30_000,
    deadline: options.deadline,
    maxRetries: options.maxRetries ?? 2,
    gate: maxConcurrency === undefined ? undefined : new Gate(maxConcurrency),
    validation: options.validation ?? 'strict',
    fetch,
    headers: lowerCased(options.headers),
    hooks: options.hooks ?? {},
    logger: options.logger ?? {},
  }
}

function refusal(issues: Issue[]): RequestValidationError {
  return new RequestValidationError(issues, { operation: 'ServiceClient', route: '' })
}

const noOptions: RequestOptions = Object.freeze({})

/** Copies the options of a call or a client, so that later changes have no effect. The signal stays the caller's. */
export function snapshotOptions<Options extends RequestOptions>(options?: Options): Options {
  // Of no option there is nothing to copy.
  if (options === undefined) return noOptions as Options
  return attempted(() => {
    if (typeof options !== 'object' || options === null) throw new TypeError()
    const copy = { ...options }
    const { headers } = copy
    if (headers !== undefined) copy.headers = attempted(() => headerPairs(headers))
    return copy
  })
}

/** The issues of a call's options; `further` names those that this call has besides. */
export function callIssues(options: RequestOptions, further: readonly string[] = []): Issue[] {
  if (options === noOptions) return []
  if (isUnreadable(options)) return [{ path: 'options', expected: 'an object of options' }]
  const known = [...Object.keys(callOptions), ...further]
  const issues = [...commonIssues(options), ...unknownOptions(options, known)]
  if (options.signal !== undefined && !isSignal(options.signal)) {
    issues.push({ path: 'signal', expected: 'an AbortSignal' })
  }
  return issues
}

/** The issues of the options that a client and a call share. */
function commonIssues(options: RequestOptions): Issue[] {
  return [
    ...numberIssues(options, 'timeout', 1),
    ...numberIssues(options, 'deadline', 1),
    ...numberIssues(options, 'maxRetries', 0),
    ...headerIssues(options.headers),
    ...(options.validation === undefined || validations.includes(options.validation)
      ? []
      : [{ path: 'validation', expected: "'strict', 'report' or 'off'" }]),
  ]
}

function numberIssues<Name extends string>(
  options: { [Key in Name]?: number | undefined },
  name: Name,
  minimum: number,
): Issue[] {
  const value = options[name]
  const isValid =
    value === undefined || (Number.isInteger(value) && value >= minimum && value <= greatestTimer)
  return isValid ? [] : [{ path: name, expected: `an integer from ${minimum} to ${greatestTimer}` }]
}

function fetchIssues({ fetch }: ClientOptions): Issue[] {
  if (fetch === undefined || typeof fetch === 'function') return []
  return [{ path: 'fetch', expected: 'a function that takes a Request' }]
}

function observerIssues(
  options: ClientOptions,
  name: 'hooks' | 'logger',
  methods: readonly string[],
): Issue[] {
  const observer: unknown = options[name]
  if (observer === undefined) return []
  if (!isObject(observer)) return [{ path: name, expected: 'an object of functions' }]
  return methods
    .filter((method) => !isAbsentOrFunction(attempted(() => observer[method])))
    .map((method) => ({ path: `${name}.${method}`, expected: 'a function' }))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

/** A getter that throws counts as absent, because an observer never changes what a client does. */
function isAbsentOrFunction(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || isUnreadable(value)
}

function keyIssues(apiKey: ClientOptions['apiKey']): Issue[] {
  if (typeof apiKey === 'function' || isKey(apiKey)) return []
  const expected =
    'the API key (or the environment variable SERVICE_API_KEY): visible ASCII characters'
  return [{ path: 'apiKey', expected }]
}

/** Whether a value can be an API key. */
export function isKey(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)
}

function parseBaseUrl(baseUrl: string | undefined): string | Issue {
  const expected =
    'an http or https URL without credentials, query and fragment (or the environment variable SERVICE_BASE_URL)'
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl)) return { path: 'baseUrl', expected }
  const { protocol, username, password, search, hash, origin, pathname } = new URL(baseUrl)
  const isHttp = protocol === 'http:' || protocol === 'https:'
  if (!isHttp || username || password || search || hash) return { path: 'baseUrl', expected }
  return origin + pathname.replace(/\/+$/, '')
}

function browserIssues({ dangerouslyAllowBrowser }: ClientOptions): Issue[] {
  const isBrowser = 'window' in globalThis && 'document' in globalThis
  if (!isBrowser || dangerouslyAllowBrowser) return []
  const expected = 'true, for in a browser everyone can read the key; better call your own backend'
  return [{ path: 'dangerouslyAllowBrowser', expected }]
}

/** An environment variable, where there are any; undefined when it is empty. */
export function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  return process?.env?.[name] || undefined
}
