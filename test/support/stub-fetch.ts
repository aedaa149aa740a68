/** A request that the stub received. */
export interface StubRequest {
  method: string
  url: URL
  headers: Headers
  body: unknown
}

/** Creates a fetch that records requests and returns the responses of a function. */
export function stubFetch(
  respond: (request: StubRequest, nth: number) => Response | Promise<Response>,
) {
  const requests: StubRequest[] = []
  const fetch = async (request: Request): Promise<Response> => {
    const text = await request.text()
    const seen = {
      method: request.method,
      url: new URL(request.url),
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
    requests.push(seen)
    return respond(seen, requests.length)
  }
  return { fetch, requests }
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers })
}
