/** A response with its complete body. */
export interface ReadResponse {
  /** The method and the path template. */
  operation: string
  status: number
  headers: Headers
  bytes: Uint8Array<ArrayBuffer>
  /** The body as JSON; undefined when it is not JSON. */
  json: unknown
}

/** Reads the complete body of a response. */
export async function readResponse(operation: string, response: Response): Promise<ReadResponse> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const { status, headers } = response
  return { operation, status, headers, bytes, json: parseJson(bytes, headers) }
}

function parseJson(bytes: Uint8Array, headers: Headers): unknown {
  if (!/\bjson\b/i.test(headers.get('content-type') ?? '')) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
