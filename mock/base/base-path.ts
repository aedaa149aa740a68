/** Returns the path of a request without that of the base URL. */
export function pathBelow(baseUrl: string, path: string): string {
  const base = basePathOf(baseUrl)
  return base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length) : path
}

/** Returns the path of a base URL, encoded like the URLs of requests. */
function basePathOf(baseUrl: string): string {
  const path = baseUrl.replace(/^\w+:\/\/[^/]*|\/+$/g, '')
  return /^[\w/.~-]*$/.test(path) || !URL.canParse(baseUrl)
    ? path
    : new URL(baseUrl).pathname.replace(/\/+$/, '')
}
