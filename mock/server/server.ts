import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Refusal } from '../base/refusal.ts'
import { ServiceResponse, serializeResponse } from '../base/response.ts'
import type { Target } from '../control/target.ts'
import { MockError } from '../errors.ts'
import type { Exchange } from '../faults/effects.ts'
import { bodyLimit } from '../http/request.ts'
import { Mock } from '../mock.ts'
import type { MockOptions } from '../state/defaults.ts'
import { send, signalOf, targetOf, textOf, together } from './socket.ts'

/** Imported, it would load all that belongs to `fetch`, too, and answer 25 ms later for the first time. */
const { createServer } = process.getBuiltinModule('node:http')

/** Where and how a mock is served. */
export interface ServeOptions {
  /** Default: 0, which takes any free port. */
  port?: number
  /** The address to listen at. Default: `127.0.0.1`, which only this machine reaches. */
  host?: string
  /** Whether a key that no team has is refused with 401; else it makes a team. Default: false. */
  strictKeys?: boolean
  /** Whether pages of any origin may call the service (not its control API). Default: false. */
  cors?: boolean
  /**
   * What the header `x-mock-token` of the control API must be. Without one, only this machine reaches the control API;
   * with one, whoever knows it does. It must not be blank.
   */
  token?: string
  /** The largest body of a request, in bytes; a larger one answers 413. Default: 64 MiB. */
  bodyLimit?: number
  /** Milliseconds that `close` leaves to requests under way. Default: 2,000. */
  gracePeriod?: number
  /**
   * Takes errors of the mock and of its overrides, which cause a 500, and those of due events for which neither a request
   * nor a test waits. Default: `console.error`.
   */
  report?: (error: unknown) => void
}

/** A mock that is being served. */
export interface MockServer extends AsyncDisposable {
  /** The base URL to give to clients, such as `http://127.0.0.1:4010`. */
  readonly url: string
  readonly mock: Mock
  /** Takes no further connections, lets requests under way end within the grace period, and stops. */
  close(): Promise<void>
}

const serveDefaults = {
  port: 0,
  host: '127.0.0.1',
  strictKeys: false,
  cors: false,
  bodyLimit,
  gracePeriod: 2000,
  report: (error: unknown) => console.error(error),
}

/** Longer than clients keep a connection idle, so that none is closed just as it is used again. */
const keepAliveTimeout = 75_000

/** Below it are the inspector and the control API. */
const controlPath = '/__mock__'

/** What a request listener knows. */
interface Site {
  url: string
  mock: Mock
  options: typeof serveDefaults & Pick<ServeOptions, 'token'>
  isClosing: boolean
}

interface Sending {
  exchange: Exchange
  response: ServerResponse
}

/**
 * Serves a mock over HTTP, to clients in any language. An API key that no team has makes a team, so that suites that
 * take a key each never meet. Given options instead of a mock, it makes one whose time passes as on the wall.
 *
 * A `refuse_connection` fault resets the connection, for a server cannot refuse what it has accepted.
 *
 * @throws {MockError} `invalid_option` for a blank token.
 * @throws {Error} Node's own, such as `EADDRINUSE`, when it cannot listen.
 * @example
 * const server = await serve({ seed: 42 }, { port: 4010 })
 * const client = new ServiceClient({ apiKey: 'any', baseUrl: server.url })
 * await server.close()
 */
export async function serve(
  mock: Mock | MockOptions = {},
  options: ServeOptions = {},
): Promise<MockServer> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const settings: Site['options'] = { ...serveDefaults, ...Object.fromEntries(given) }
  checkToken(settings.token)
  const server = createServer({ keepAliveTimeout })
  await listening(server, settings)
  const url = urlOf(server.address() as AddressInfo, settings.host)
  const served = mock instanceof Mock ? mock : mockAt(url, mock, server)
  served.reportTo(settings.report)
  const site: Site = { url, mock: served, options: settings, isClosing: false }
  const sendTogether = together((sending: Sending) => sendOf(site, sending))
  server.on('request', async (request, response) => {
    const exchange = await exchanged(request, response, site).catch((error) => {
      return isGone(response) ? undefined : failed(error, site)
    })
    if (exchange) sendTogether({ exchange, response })
  })
  const close = () => {
    site.isClosing = true
    return closed(server, settings.gracePeriod)
  }
  return { url, mock: served, close, [Symbol.asyncDispose]: close }
}

/** A blank token, such as that of an empty variable, would let everybody in. */
function checkToken(token: unknown): void {
  if (token === undefined || (typeof token === 'string' && token.trim() !== '')) return
  throw new MockError(
    'invalid_option',
    'Expected a control token that is not blank. Leave token out to let only this machine in.',
  )
}

/** A mock that names the server as the service. */
function mockAt(url: string, options: MockOptions, server: Server): Mock {
  try {
    return new Mock({ baseUrl: url, clock: 'realtime', ...options })
  } catch (error) {
    server.close()
    throw error
  }
}

function listening(server: Server, { port, host }: Site['options']): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** An address that stands for all of them is reached by the name of this machine. */
function urlOf({ port, family, address }: AddressInfo, host: string): string {
  if (address === '::' || address === '0.0.0.0') return `http://localhost:${port}`
  const name = family === 'IPv6' && host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

function closed(server: Server, gracePeriod: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), gracePeriod)
    // Closes idle connections, too.
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
  })
}

/** What comes of a request. */
async function exchanged(
  request: IncomingMessage,
  response: ServerResponse,
  { mock, options, url }: Site,
): Promise<Exchange> {
  const target = targetOf(request)
  const { method, path, headers } = target
  if (path.startsWith(controlPath)) {
    const { control } = await import('../control/control.ts')
    const text = await textOf(request, options.bodyLimit)
    const isLocal = isLoopback(request.socket.remoteAddress ?? '')
    return control({ ...target, text, isLocal }, { mock, url, ...options })
  }
  if (method === 'OPTIONS') return methodsAnswer(headers, mock.methodsAt(path), options)
  const text = await textOf(request, options.bodyLimit)
  const key = headers['x-service-api-key']
  if (key && !options.strictKeys) mock.visit(key)
  const signal = signalOf(response)
  const asked = { ...target, url: url + target.url, signal, text: async () => text }
  const exchange = await mock.answer(asked, url)
  if (!options.cors || exchange.kind !== 'answer') return exchange
  return { ...exchange, headers: { ...exchange.headers, ...corsHeaders } }
}

function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127\.|^::1$/.test(address)
}

function methodsAnswer(
  headers: Target['headers'],
  methods: string[],
  { cors }: Site['options'],
): Exchange {
  if (methods.length === 0 && !cors) return errorAnswer(404, 'Not found')
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  const allowed = {
    ...corsHeaders,
    'access-control-allow-methods': allow,
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
    'access-control-allow-private-network': 'true',
    'access-control-max-age': '600',
  }
  return { kind: 'answer', status: 204, headers: { allow, ...(cors ? allowed : {}) }, body: '' }
}

const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-request-id, retry-after',
}

function sendOf(site: Site, { exchange, response }: Sending): void {
  if (site.isClosing) response.shouldKeepAlive = false
  try {
    send(exchange, response)
  } catch (error) {
    // Such as a header of an override that cannot be written.
    send(failed(error, site), response)
  }
}

function isGone({ socket }: ServerResponse): boolean {
  return !socket || socket.destroyed
}

/** What answers a mistake of the mock, of its user or of the request. */
function failed(error: unknown, { options }: Site): Exchange {
  if (error instanceof Refusal) return errorAnswer(error.status, error.detail)
  const isKnown = error instanceof MockError
  // A team that is reset or restored says so to its requests that wait.
  if (!isKnown || error.code !== 'invalid_state') options.report(error)
  return errorAnswer(500, isKnown ? error.message : 'The mock failed: its own output tells how')
}

function errorAnswer(status: number, detail: Refusal['detail']): Exchange {
  return serializeResponse(new ServiceResponse(status, { detail }), 'req_0')
}
