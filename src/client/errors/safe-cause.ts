const errorNames = new Set<unknown>(['TypeError', 'RangeError', 'AbortError', 'NetworkError'])

const systemCodes =
  /^(?:E(?:AI_)?[A-Z0-9]{2,15}|(?:UND_ERR|ERR|CERT|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)_[A-Z_]{2,40}|ConnectionRefused|FailedToOpenSocket|ConnectionClosed)$/

/** Copies the name and the code of a foreign error. Its message may quote a URL, a key or a body, so it is dropped. */
export function safeCause(cause: unknown): Error {
  const code = systemCode(cause)
  const name = readField(cause, 'name')
  const safe = new Error(`${errorNames.has(name) ? name : 'Error'} ${code ?? ''}`.trim())
  delete safe.stack
  return code === undefined ? safe : Object.assign(safe, { code })
}

/** Returns a field of a foreign error; undefined when it is missing or its getter throws. */
export function readField(error: unknown, name: string): unknown {
  try {
    return Object(error)[name]
  } catch {
    return undefined
  }
}

/** Returns an error's code if it is one that platforms use; any other code may contain data. */
export function systemCode(error: unknown): string | undefined {
  const code = readField(error, 'code')
  return typeof code === 'string' && systemCodes.test(code) ? code : undefined
}
