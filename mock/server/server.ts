import type { Server, ServerResponse } from 'node:http'
import { MockError } from '../errors.ts'
import type { ExchangeResult } from '../faults/effects.ts'
import { Mock } from '../mock.ts'
import type { MockOptions } from '../state/defaults.ts'
import { checkFields } from '../state/plain.ts'
import { servedBodyLimit } from './body-limits.ts'
import { type HostedMock, handleRequest, respondToError } from './handle-request.ts'
import { checkAddress } from './known-host.ts'
import { closeServer, listen, urlOfServer } from './listen.ts'
import { type HandledRequest, logEntryOf } from './request-log.ts'
import { batch, sendResult } from './socket.ts'

// A static import would also load Node's `fetch`, which delays the first response by 25 ms.
const { createServer } = process.getBuiltinModule('node:http')

/** Options for {@link serve}. */
export interface ServeOptions {
  /** The port. 0 selects any free port. Default: 0. */
  port?: number
  /**
   * The host or address to listen on, which must not be empty. Default: `127.0.0.1`, which only this machine can reach.
   */
  host?: string
  /**
   * The server's names in public DNS, such as `mock.example.com`. Requests to other public names fail with 403,
   * because a malicious site could point its domain at the server. You do not need to list `host`, the host of the
   * mock's `baseUrl`, IP addresses, names without a dot, or names that end in `.localhost`, `.local` or `.internal`.
   * Default: none.
   */
  allowedHosts?: readonly string[]
  /** Whether to reject unknown API keys with 401. Otherwise, each unknown key creates a team. Default: false. */
  strictKeys?: boolean
  /** Whether pages from any origin can call the service. The control API rejects them. Default: false. */
  cors?: boolean
  /**
   * The control token, which requests to the control API must include in the `x-mock-token` header. Without a token,
   * only this machine can use the control API.
   */
  token?: string
  /**
   * The maximum size of a request body sent to the service, in bytes. Larger bodies are rejected with 413. A body may
   * contain at most one JSON value per 32 bytes of this limit. The control API's limit is at least 64 MiB, with one
   * JSON value per 16 bytes. Default: 8,388,608 (8 MiB).
   */
  bodyLimit?: number
  /**
   * Whether to deliver events to webhooks on other machines, such as other containers, even without `allowRemote`.
   * Default: false.
   */
  allowRemoteWebhooks?: boolean
  /**
   * Called after each request, except GET and HEAD requests to `/__mock__`, such as the inspector's. Default: none.
   */
  log?: (request: HandledRequest) => void
  /** How many milliseconds `close` waits for requests in progress. Default: 2,000. */
  gracePeriod?: number
  /**
   * Called with each error from the mock or an override that causes a 500 response, and with each error from a
   * scheduled event that no call waits for. Default: `console.error`.
   */
  report?: (error: unknown) => void
}

/** A mock served over HTTP. */
export interface MockServer extends AsyncDisposable {
  /** The base URL for clients, such as `http://127.0.0.1:4010`. */
  readonly url: string
  /** The served mock. */
  readonly mock: Mock
  /** Stops accepting connections, waits up to the grace period for requests in progress, and closes the server. */
  close(): Promise<void>
}

const noHosts: readonly string[] = []

const serveDefaults = {
  port: 0,
  host: '127.0.0.1',
  allowedHosts: noHosts,
  strictKeys: false,
  cors: false,
  bodyLimit: servedBodyLimit,
  allowRemoteWebhooks: false,
  gracePeriod: 2000,
  report: (error: unknown) => console.error(error),
}

/**
 * The keep-alive timeout, in milliseconds. Most clients close idle connections sooner. With a short timeout, the server
 * could close a connection that a client is about to use.
 */
const keepAliveTimeout = 75_000

interface Sending {
  exchange: ExchangeResult
  response: ServerResponse
}

/**
 * Serves a mock over HTTP to clients in any language. An unknown API key creates a team, so test suites with different
 * keys are isolated. If you pass options instead of a mock, the default clock mode is `realtime`.
 *
 * A `refuse_connection` fault resets the connection, because a server cannot refuse a connection that it has accepted.
 *
 * @param mock A mock, or options for a new one. Default: a new mock.
 * @throws {MockError} `invalid_option` for an unknown option, a blank token or an empty host, and the errors of
 * `createMock` for invalid mock options.
 * @throws {Error} Node's error, such as `EADDRINUSE`, if the server cannot listen.
 * @example
 * const server = await serve({ seed: 42 }, { port: 4010 })
 * const client = new ServiceClient({ apiKey: 'any', baseUrl: server.url })
 * await server.close()
 */
export async function serve(
  mock: Mock | MockOptions = {},
  options: ServeOptions = {},
): Promise<MockServer> {
  checkFields(options, [...Object.keys(serveDefaults), 'token', 'log'], 'the options of serve')
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const settings: typeof serveDefaults & Pick<ServeOptions, 'token' | 'log'> = {
    ...serveDefaults,
    ...Object.fromEntries(given),
  }
  checkToken(settings.token)
  checkAddress(settings.host)
  const server = createServer({ keepAliveTimeout })
  await listen(server, settings.port, settings.host)
  const url = urlOfServer(server, settings.host)
  const served = mock instanceof Mock ? mock : create(mock, url, server)
  const hosts = [settings.host, new URL(served.baseUrl).hostname, ...settings.allowedHosts]
  const names = new Set(hosts.map((host) => host.toLowerCase()))
  const site: HostedMock = { url, settings, names, mock: served }
  site.mock.reportTo(settings.report)
  site.mock.linkTo(url)
  site.mock.setHooks({ allowsRemoteWebhooks: settings.allowRemoteWebhooks })
  handleRequests(server, site)
  const close = () => closeServer(server, settings.gracePeriod)
  return { url, mock: site.mock, close, [Symbol.asyncDispose]: close }
}

/**
 * Rejects a blank token, for example from an empty environment variable, because any caller could then control the
 * mock.
 */
function checkToken(token: unknown): void {
  if (token === undefined || (typeof token === 'string' && token.trim() !== '')) return
  throw new MockError(
    'invalid_option',
    'Expected a non-blank control token. Omit token to allow only requests from this machine.',
  )
}

function create(options: MockOptions, url: string, server: Server): Mock {
  try {
    return new Mock({ baseUrl: url, clock: 'realtime', ...options })
  } catch (error) {
    server.close()
    throw error
  }
}

function handleRequests(server: Server, site: HostedMock): void {
  const sendInBatch = batch(({ exchange, response }: Sending) => {
    if (!server.listening) response.shouldKeepAlive = false
    try {
      sendResult(exchange, response)
    } catch (error) {
      // For example, an override returned an invalid header.
      sendResult(respondToError(error, site), response)
    }
  })
  const { log } = site.settings
  server.on('request', async (request, response) => {
    const start = log ? performance.now() : 0
    // A response has no socket until earlier requests on its connection end. Requests must take effect in order.
    if (!response.socket) await new Promise((resolve) => response.once('socket', resolve))
    let exchange: ExchangeResult | undefined
    try {
      exchange = await handleRequest(request, site)
    } catch (error) {
      const isConnected = response.socket?.destroyed === false
      if (isConnected) exchange = respondToError(error, site)
    }
    if (exchange) sendInBatch({ exchange, response })
    if (!log) return
    const entry = logEntryOf(request, exchange, performance.now() - start)
    if (entry) log(entry)
  })
}
