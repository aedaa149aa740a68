import { readField, setField } from '../../shared/own-fields.ts'

/** Error names that platforms set and that are safe to print, in addition to class names. */
const errorNames = new Set<unknown>(['TypeError', 'RangeError', 'AbortError', 'NetworkError'])

const systemCodes =
  /^(?:E(?:AI_)?[A-Z0-9]{2,15}|(?:UND_ERR|ERR|CERT|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)_[A-Z0-9_]{2,40}|ConnectionRefused|FailedToOpenSocket|ConnectionClosed)$/

/** The code for a failed connection whose error has no known code. */
export const unknownCode = 'NETWORK'

/**
 * Copies the class and code of an error from outside the client. Drops its message, which may quote a URL, a key or a
 * body.
 */
export function safeCause(cause: unknown): Error {
  const code = systemCode(cause)
  const name = readField(cause, 'name')
  const printed = errorNames.has(name) ? name : (classOf(cause) ?? 'Error')
  const safe = new Error(`${printed} ${code ?? ''}`.trim())
  delete safe.stack
  if (code !== undefined) setField(safe, 'code', code)
  return safe
}

/**
 * Returns the name of an error's class, or undefined if it is not an identifier. The name is safe to print, because it
 * comes from code.
 */
export function classOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const name = readField(readField(prototypeOf(error), 'constructor'), 'name')
  return typeof name === 'string' && /^[A-Za-z_$][\w$]{0,59}$/.test(name) ? name : undefined
}

function prototypeOf(error: object): unknown {
  try {
    return Object.getPrototypeOf(error)
  } catch {
    // A proxy's trap threw.
    return undefined
  }
}

/** Returns an error's code if it is a known platform code. Any other code may contain sensitive data. */
export function systemCode(error: unknown): string | undefined {
  const code = readField(error, 'code')
  return typeof code === 'string' && systemCodes.test(code) ? code : undefined
}
