import type { TeamConnection } from '../../mock/index.ts'

/** A response of the mock with its body. */
export interface Called {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  body: any
}

interface Team {
  connection(): TeamConnection
}

/** Sends a request to a team of the mock: `call(team, 'GET /v2/providers')`. */
export async function call(
  team: Team,
  route: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Called> {
  const { apiKey, baseUrl, fetch } = team.connection()
  const [method = 'GET', path = '/'] = route.split(' ')
  const hasBody = body !== undefined
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      'x-service-api-key': apiKey,
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(hasBody ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type') === 'application/json'
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text,
  }
}
