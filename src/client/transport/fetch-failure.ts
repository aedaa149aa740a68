import { fieldOf, systemCode } from '../errors.ts'

/** What an error thrown by fetch tells. */
export interface FetchFailure {
  /** A code such as `ECONNREFUSED`. */
  code: string
  /** Whether the request provably never left: no name, no connection, no agreed encryption. */
  neverSent: boolean
}

const neverSentCodes = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'UND_ERR_CONNECT_TIMEOUT',
  // Bun's names.
  'ConnectionRefused',
  'FailedToOpenSocket',
])

/** The handshake failed. Other TLS errors may also come later, on a connection that carried the request already. */
const handshakeCode =
  /^(?:CERT_|ERR_TLS_CERT_|ERR_TLS_HANDSHAKE_|ERR_SSL_WRONG_VERSION_NUMBER$|ERR_SSL_UNSUPPORTED_PROTOCOL$|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/

/** Reads the chain of causes of an error that fetch threw. */
export function fetchFailure(error: unknown): FetchFailure {
  const chain = causes(error)
  const code = chain.map(systemCode).find((found) => found !== undefined)
  return { code: code ?? 'NETWORK', neverSent: chain.some(isNeverSent) }
}

function causes(error: unknown): object[] {
  const chain: object[] = []
  for (let at = error; typeof at === 'object' && at !== null && chain.length < 8; ) {
    chain.push(at)
    at = fieldOf(at, 'cause')
  }
  return chain
}

/** An attempt to connect to several addresses never sent when none of them did. */
function isNeverSent(cause: unknown): boolean {
  const errors = fieldOf(cause, 'errors')
  if (Array.isArray(errors) && errors.length > 0) return errors.every(isNeverSent)
  const code = fieldOf(cause, 'code')
  if (typeof code !== 'string') return false
  return (
    neverSentCodes.has(code) || handshakeCode.test(code) || fieldOf(cause, 'syscall') === 'connect'
  )
}
