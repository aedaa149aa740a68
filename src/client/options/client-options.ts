import type { Issue } from '../../contract/schema-tools/check.ts'
import { readField } from '../../shared/own-fields.ts'
import type { ClientClock } from '../clock.ts'
import { isUnreadable, tryRead } from '../copy-input.ts'
import type { ExtraHeaders } from '../headers.ts'
import { type Hooks, hookNames } from '../hooks.ts'
import { type Logger, type LogLevel, lineLevels, logLevels } from '../logger.ts'
import { unknownOptionIssues } from './check-options.ts'
import { sharedOptionRules, type Validation } from './request-options.ts'
import {
  acceptAny,
  booleanRule,
  createRule,
  isFunction,
  type OptionRules,
  oneOf,
  timerInteger,
} from './rules.ts'

/** Options for a client. */
export interface ClientOptions {
  /**
   * The team's API key in visible ASCII characters, or a function that returns the key for each attempt. Default: the
   * `SERVICE_API_KEY` environment variable.
   */
  apiKey?: string | (() => string | Promise<string>) | undefined
  /**
   * The URL of the service: http or https, without credentials, query or fragment. Default: the `SERVICE_BASE_URL`
   * environment variable.
   */
  baseUrl?: string | undefined
  /**
   * The timeout in milliseconds for one attempt, including the response body. An integer from 1 to 2,147,483,647. The
   * client adds the time that the service itself may wait in a booking or in a bulk import that waits for completion.
   * Default: 30,000.
   */
  timeout?: number | undefined
  /**
   * The time limit in milliseconds for the whole call, including attempts, waits and downloads. An integer from 1 to
   * 2,147,483,647. The client does not extend it. Default: 90,000, plus the time that the service itself may wait.
   */
  deadline?: number | undefined
  /** The maximum number of retries when retrying is safe, at least 0. Default: 2. */
  maxRetries?: number | undefined
  /** The maximum number of concurrent calls, at least 1; further calls are queued. Default: no limit. */
  maxConcurrency?: number | undefined
  /** How responses are checked. Default: `strict`. */
  validation?: Validation | undefined
  /**
   * Includes the service's own explanation in `ApiError` messages: up to 1,000 characters of `detail` or of a non-JSON
   * body. It may contain health data, so use this option only where messages are not stored. Default: false.
   */
  exposeDetail?: boolean | undefined
  /** The fetch function to use. Default: `globalThis.fetch`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined
  /** The clock that the client uses for all waits, timeouts and deadlines. Default: real time. */
  clock?: ClientClock | undefined
  /** Headers to add to every request. */
  headers?: ExtraHeaders | undefined
  /** Callbacks that observe calls. Default: none. */
  hooks?: Hooks | undefined
  /**
   * The destination of log lines: `console`, a pino, winston or bunyan logger, or your own object. Default: `console`
   * if `logLevel` or the `SERVICE_LOG` environment variable is set, otherwise none.
   */
  logger?: Logger | undefined
  /**
   * The minimum level to log; `off` logs nothing. Default: the `SERVICE_LOG` environment variable, or `debug` if unset,
   * so the logger does the filtering.
   */
  logLevel?: LogLevel | undefined
  /** Allows use in a browser, where anyone who opens the page can read the key. Default: false. */
  dangerouslyAllowBrowser?: boolean | undefined
}

export const clientOptionRules: Record<keyof ClientOptions, OptionRules[string]> = {
  // `resolveSettings` checks the key and the URL, because they may also come from the environment.
  apiKey: acceptAny,
  baseUrl: acceptAny,
  ...sharedOptionRules,
  maxConcurrency: timerInteger(1),
  exposeDetail: booleanRule,
  fetch: createRule('a function that takes a Request', isFunction),
  clock: createRule('an object with the functions now and sleep', isClock),
  hooks: (value, path) => [
    ...objectOfFunctions(hookNames)(value, path),
    ...unknownHookIssues(value, path),
  ],
  logger: objectOfFunctions(lineLevels),
  logLevel: oneOf(...logLevels),
  dangerouslyAllowBrowser: acceptAny,
}

function isClock(value: unknown): boolean {
  const [now, sleep, startTimer] = ['now', 'sleep', 'startTimer'].map((name) =>
    readField(value, name),
  )
  return isFunction(now) && isFunction(sleep) && isAbsentOrFunction(startTimer)
}

function objectOfFunctions(methods: readonly string[]) {
  return (value: unknown, path: string): Issue[] => {
    const isObject = (typeof value === 'object' && value !== null) || isFunction(value)
    if (!isObject) return [{ path, expected: 'an object of functions' }]
    return methods
      .filter((method) => !isAbsentOrFunction(readField(value, method)))
      .map((method) => ({ path: `${path}.${method}`, expected: 'a function' }))
  }
}

/** Checks only plain objects, because a class instance may have other fields. */
function unknownHookIssues(hooks: unknown, path: string): Issue[] {
  const isPlain = tryRead(() => Object.getPrototypeOf(hooks) === Object.prototype)
  const names = tryRead(() => Object.keys(Object(hooks)))
  if (isPlain !== true || isUnreadable(names)) return []
  const fields = Object.fromEntries(names.map((name) => [name, true]))
  return unknownOptionIssues(fields, hookNames).map((issue) => ({
    ...issue,
    path: `${path}.${issue.path}`,
  }))
}

/** Accepts undefined, which `readField` also returns if a getter throws. */
function isAbsentOrFunction(value: unknown): boolean {
  return value === undefined || isFunction(value)
}
