import { MockError } from '../errors.ts'
import { HttpError } from '../http/http-error.ts'

/**
 * Matches hosts that a DNS rebinding attack cannot use: IP addresses, and names outside public DNS. In such an attack,
 * a malicious site points its own domain at this machine, so its requests contain that domain as `host`.
 */
const privateHost =
  /^(?:\[[\da-f:.]+\]|\d+(?:\.\d+){3}|[\w-]+|localhost\.|(?:[\w-]+\.)+(?:localhost|local|internal))$/i

/**
 * Checks that a request's `host`, if any, is a private host or one of the server's names. Browsers always send a
 * `host`.
 *
 * @param known The server's names, in lower case.
 * @throws {HttpError} 403
 */
export function checkHost(host: string | undefined, known: ReadonlySet<string>): void {
  if (host === undefined) return
  const name = host.replace(/:\d+$/, '').toLowerCase()
  if (privateHost.test(name) || known.has(name)) return
  throw new HttpError(
    403,
    'Unknown host in the host header. Use localhost, or allow the name with --allow-host or the allowedHosts option of serve.',
  )
}

/**
 * Rejects an empty address, because Node would then listen on all addresses.
 *
 * @throws {MockError} `invalid_option`
 */
export function checkAddress(host: unknown): void {
  if (typeof host === 'string' && host.trim() !== '') return
  throw new MockError(
    'invalid_option',
    'Expected a non-empty address to listen on. Omit host (--host and the variable HOST) for 127.0.0.1, or use 0.0.0.0 to let other machines reach the mock.',
  )
}
