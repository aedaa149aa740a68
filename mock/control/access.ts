import { createHash, timingSafeEqual } from 'node:crypto'
import { HttpError } from '../http/http-error.ts'
import { tokenHeader } from './paths.ts'

interface Sender {
  headers: Readonly<Record<string, string>>
  isLocal: boolean
}

/**
 * Checks that a request may control the mock: it must contain the token or, if no token is set, come from this machine.
 * Pages from other origins are rejected. The server has already checked the Host header.
 *
 * @throws {HttpError} 401 or 403
 */
export function checkAccess({ headers, isLocal }: Sender, token: string | undefined): void {
  if (token !== undefined && !isEqual(headers[tokenHeader] ?? '', token)) {
    throw new HttpError(401, `Expected the control token in the ${tokenHeader} header`)
  }
  if (token === undefined && !isLocal) {
    throw new HttpError(
      403,
      'Only requests from this machine can control the mock. Start the server with a token to allow other machines.',
    )
  }
  const { origin, host, 'sec-fetch-site': site = 'none' } = headers
  const isOwnPage = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)
  if (!isOwnPage || !['none', 'same-origin'].includes(site)) {
    throw new HttpError(403, 'Pages from other origins cannot control the mock')
  }
}

/** Compares hashes, so the duration does not reveal where the strings differ. */
function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(hashOf(one), hashOf(other))
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
