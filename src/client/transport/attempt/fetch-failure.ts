import { readField } from '../../../shared/own-fields.ts'
import { systemCode, unknownCode } from '../../errors/safe-cause.ts'

export interface FetchFailure {
  /** A code such as `ECONNREFUSED`, or `NETWORK` if the error has none. */
  code: string
  /**
   * Whether the request was provably never sent, because fetch rejected a header or the port, a proxy refused the
   * tunnel, or the lookup, connection or handshake failed.
   */
  neverSent: boolean
}

const neverSentCodes = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'UND_ERR_CONNECT_TIMEOUT',
  // On Bun and in `node:https`: a proxy refused the tunnel.
  'ERR_PROXY_TUNNEL',
  // Bun's own codes.
  'ConnectionRefused',
  'FailedToOpenSocket',
])

/** Codes of failed handshakes. Other TLS errors can also occur after the request has been sent. */
const handshakeCode =
  /^(?:CERT_|ERR_TLS_CERT_|ERR_TLS_HANDSHAKE_|ERR_SSL_UNSUPPORTED_PROTOCOL$|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/

const rejectionCodes = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'])

/**
 * undici's messages for headers that it rejects before it sends a request. The code alone is not proof: undici also
 * uses `UND_ERR_INVALID_ARG` after a redirect and for a proxy's 407.
 */
const rejectedHeader = /^(?:invalid [\w-]+ header|expect header not supported)$/

/**
 * Messages that prove that a request was never sent, even if the error's code does not. They come from undici (refused
 * tunnel, blocked port), Node (connection closed during the handshake) and Deno (failed lookup, connection or
 * handshake).
 */
const neverSentMessage =
  /^(?:Proxy response \(\d+\) !== 200 when HTTP Tunneling$|bad port$|Client network socket disconnected |error sending request for url \(\S+\): client error \(Connect\): )/

export function fetchFailure(error: unknown): FetchFailure {
  try {
    const chain = causesOf(error)
    const code = chain.map(systemCode).find((found) => found !== undefined)
    return { code: code ?? unknownCode, neverSent: chain.some(isNeverSent) }
  } catch {
    // The error may be a revoked `Proxy` object.
    return { code: unknownCode, neverSent: false }
  }
}

function causesOf(error: unknown): object[] {
  const chain: object[] = []
  for (let at = error; typeof at === 'object' && at !== null && chain.length < 8; ) {
    chain.push(at)
    at = readField(at, 'cause')
  }
  return chain
}

/**
 * Returns whether an error proves that the request was never sent. If fetch tried several addresses, the error for each
 * one must prove it.
 */
function isNeverSent(cause: unknown): boolean {
  const errors = readField(cause, 'errors')
  if (Array.isArray(errors) && errors.length > 0) return errors.every(isNeverSent)
  const code = readField(cause, 'code')
  const text = readField(cause, 'message')
  const message = typeof text === 'string' ? text : ''
  if (neverSentMessage.test(message)) return true
  if (typeof code !== 'string') return false
  return (
    neverSentCodes.has(code) ||
    handshakeCode.test(code) ||
    (rejectionCodes.has(code) && rejectedHeader.test(message)) ||
    readField(cause, 'syscall') === 'connect'
  )
}
