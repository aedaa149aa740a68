/**
 * Creates a request that stays in memory until its signal aborts or is no longer used: on Node, the signal of a request
 * that was garbage-collected does not end its `fetch`.
 */
export function createKeptRequest(
  url: string,
  init: RequestInit & { signal: AbortSignal },
): Request {
  const request = new Request(url, init)
  init.signal.addEventListener('abort', () => request, { once: true })
  return request
}
