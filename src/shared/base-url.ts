export const expectedBaseUrl = 'an http or https URL without credentials, query or fragment'

/** Returns a valid base URL without trailing slashes, or undefined if the URL is invalid. */
export function parseBaseUrl(baseUrl: unknown): string | undefined {
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl)) return undefined
  const { protocol, username, password, search, hash, origin, pathname } = new URL(baseUrl)
  const isHttp = protocol === 'http:' || protocol === 'https:'
  if (!isHttp || username || password || search || hash) return undefined
  return origin + pathname.replace(/\/+$/, '')
}
