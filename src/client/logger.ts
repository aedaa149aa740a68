import { observe } from './observe.ts'

/** The log levels, most detailed first. */
export const lineLevels = ['debug', 'info', 'warn', 'error'] as const
export type LineLevel = (typeof lineLevels)[number]

/** The values of `logLevel`, most detailed first; `off` writes nothing. */
export const logLevels = [...lineLevels, 'off'] as const
/** A value of `logLevel`. */
export type LogLevel = (typeof logLevels)[number]

/**
 * A destination for log lines: `console`, a pino, winston or bunyan logger, or your own object. The fields contain only
 * data that hooks also receive.
 *
 * A logger with `child` and `bindings` methods (pino), or a `child` method and a `fields` object (bunyan), receives the
 * fields first and the message second. Any other logger receives the message first.
 */
export interface Logger {
  /** Called at the end of every attempt. */
  debug?(message: string, fields: object): void
  /** Called when a call fails with an error status below 500. */
  info?(message: string, fields: object): void
  /**
   * Called for retries, deprecated fields, waits that may have returned an earlier appointment, and differences from
   * the specification (most of them only with a `drift` hook).
   */
  warn?(message: string, fields: object): void
  /** Called when an attempted call fails with status 500 or above or has no usable response, unless you aborted it. */
  error?(message: string, fields: object): void
}

export class Log {
  readonly #logger: Logger
  readonly #level: LogLevel

  constructor(logger: Logger, level: LogLevel) {
    this.#logger = logger
    this.#level = level
  }

  /** Returns whether a line at this level would be written, so callers can skip building it. */
  writes(level: LineLevel): boolean {
    if (logLevels.indexOf(level) < logLevels.indexOf(this.#level)) return false
    try {
      return this.#logger[level] !== undefined
    } catch {
      // A getter that throws is treated as absent.
      return false
    }
  }

  write(level: LineLevel, message: string, fields: object): void {
    if (!this.writes(level)) return
    observe(() => {
      if (!takesFieldsFirst(this.#logger)) return this.#logger[level]?.(message, fields)
      const { [level]: method } = this.#logger as unknown as FieldsFirst
      return method.call(this.#logger, fields, message)
    })
  }
}

/** A logger that receives the fields first, such as pino or bunyan. */
type FieldsFirst = Record<LineLevel, (fields: object, message: string) => unknown>

function takesFieldsFirst(logger: Logger): boolean {
  const { child, bindings, fields }: Record<string, unknown> = Object(logger)
  if (typeof child !== 'function') return false
  return typeof bindings === 'function' || (typeof fields === 'object' && fields !== null)
}
