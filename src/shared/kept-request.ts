/**
 * Creates a request that stays in memory until its signal aborts or is garbage-collected. On Node, aborting the signal
 * of a garbage-collected request does not end its `fetch`.
 */
export function createKeptRequest(
  url: string,
  init: RequestInit & { signal: AbortSignal },
): Request {
  const request = new Request(url, init)
  init.signal.addEventListener('abort', () => request, { once: true })
  return request
}
