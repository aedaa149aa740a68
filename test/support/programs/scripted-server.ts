import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Handles one request after its body has been read. */
export type Behaviour = (response: ServerResponse, request: IncomingMessage) => void

/** A request that the server received. */
export interface SeenRequest {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

export interface ScriptedServer {
  baseUrl: string
  /** All requests that arrived completely. */
  requests: SeenRequest[]
  close(): Promise<void>
}

/**
 * Starts a server on a free port of the loopback address. Each request gets the next behaviour, and the last one is used
 * for all further requests. The server is closed when the test ends.
 */
export function scriptedServer(...behaviours: Behaviour[]): Promise<ScriptedServer> {
  return scriptedServerAt(0, ...behaviours)
}

/** Starts a scripted server on the given port. */
export async function scriptedServerAt(
  chosenPort: number,
  ...behaviours: Behaviour[]
): Promise<ScriptedServer> {
  const requests: SeenRequest[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    requests.push({
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    })
    const behave = behaviours[Math.min(requests.length, behaviours.length) - 1]
    behave?.(response, request)
  })
  await new Promise<void>((resolve) => server.listen(chosenPort, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => closed(server)
  onTestFinished(close)
  return { baseUrl: `http://127.0.0.1:${port}`, requests, close }
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
}

/** Returns a base URL at which no server listens. */
export async function closedPort(): Promise<string> {
  const server = await scriptedServer()
  await server.close()
  return server.baseUrl
}

/** Responds with a status, a JSON body and headers. */
export function respondWith(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Behaviour {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body === undefined ? '' : JSON.stringify(body))
  }
}

/** Responds with a status and a body of another media type. */
export function respondWithText(status: number, body: string, type = 'text/html'): Behaviour {
  return (response) => {
    response.writeHead(status, { 'content-type': type })
    response.end(body)
  }
}

/** Reads the request and closes the connection without a response. */
export const loseResponse: Behaviour = (response) => {
  response.destroy()
}

/** Sends the headers and half of the body, then closes the connection. */
export function cutBody(status: number, body: unknown): Behaviour {
  return (response) => {
    const text = JSON.stringify(body)
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': String(text.length),
    })
    response.write(text.slice(0, text.length / 2), () => response.destroy())
  }
}

/** Never responds. */
export const stallBeforeHead: Behaviour = () => {}

/** Sends the headers and half of the body, then nothing more. */
export function stallInBody(body: unknown): Behaviour {
  return (response) => {
    const text = JSON.stringify(body)
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': String(text.length),
    })
    response.write(text.slice(0, text.length / 2))
  }
}

/** Sends headers with a `content-length`, then nothing more. */
export function announceOnly(length: number): Behaviour {
  return (response) => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': String(length),
    })
    response.flushHeaders()
  }
}

/** Redirects to another URL. */
export function redirectTo(url: string, status = 302): Behaviour {
  return (response) => {
    response.writeHead(status, { location: url })
    response.end()
  }
}
