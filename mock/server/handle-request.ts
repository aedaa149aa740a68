import type { IncomingMessage } from 'node:http'
import { headers as wireHeaders } from '../../src/contract/wire.ts'
import { rootPath } from '../control/paths.ts'
import { MockError, messageOf } from '../errors.ts'
import type { ExchangeResult } from '../faults/effects.ts'
import { HttpError } from '../http/http-error.ts'
import { checkContentEncoding, type RequestHead } from '../http/request/request.ts'
import { ServiceResponse, serializeResponse } from '../http/response.ts'
import type { Mock } from '../mock.ts'
import { controlBodyLimit, controlBytesPerValue, readText } from './body-limits.ts'
import { checkHost } from './known-host.ts'
import { publicPage } from './public-pages.ts'
import type { HandledRequest } from './request-log.ts'
import { disconnectSignal, readBody, readHead } from './socket.ts'

export interface HostedMock {
  url: string
  mock: Mock
  settings: ServerSettings
  /** The lower-case host names that requests may use, besides private hosts. */
  names: ReadonlySet<string>
}

/** The server options that request handling needs, with the defaults applied. */
export interface ServerSettings {
  strictKeys: boolean
  cors: boolean
  bodyLimit: number
  report: (error: unknown) => void
  token?: string
  log?: (request: HandledRequest) => void
}

export async function handleRequest(
  request: IncomingMessage,
  site: HostedMock,
): Promise<ExchangeResult> {
  const { mock, settings, url } = site
  const head = readHead(request)
  const { method, path, search, headers } = head
  checkHost(headers['host'], site.names)
  const page = publicPage(head)
  if (page) return page
  if (path.startsWith(rootPath)) return handleControl(request, head, site)
  if (method === 'OPTIONS') return optionsResponse(headers, mock.methodsAt(path), settings.cors)
  const reading = readBody(request, settings.bodyLimit)
  // Await only if necessary: most requests have no body.
  const body = reading && (await reading)
  const apiKey = headers[wireHeaders.apiKey]
  const team = apiKey && (settings.strictKeys ? mock.teamOf(apiKey) : mock.getOrCreateTeam(apiKey))
  const signal = disconnectSignal(request.socket)
  const text = () => {
    if (!body) return undefined
    checkContentEncoding(head.headers)
    return readText(body, settings.bodyLimit)
  }
  const incoming = { method, url: url + head.url, path, search, headers, signal, text }
  const handle = () => mock.handle(incoming, url)
  const exchange = await (team
    ? team.runRequest(async () => {
        // Events for data that has already arrived must precede the events for this request's changes.
        await team.state.catchUpInSlices(mock.mayChange(method, path))
        return handle()
      })
    : handle())
  if (!settings.cors || exchange.kind !== 'response') return exchange
  return { ...exchange, headers: { ...exchange.headers, ...corsHeaders } }
}

async function handleControl(
  request: IncomingMessage,
  head: RequestHead,
  { mock, url, settings }: HostedMock,
): Promise<ExchangeResult> {
  // Most servers receive no control requests, and respond sooner without this module.
  const { control } = await import('../control/control.ts')
  const limit = controlBodyLimit(settings.bodyLimit)
  const body = await readBody(request, limit)
  if (body) checkContentEncoding(head.headers)
  const text = body && (await readText(body, limit, controlBytesPerValue))
  const isLocal = isLoopback(request.socket.remoteAddress ?? '')
  return control({ ...head, text, isLocal }, { mock, url, ...settings })
}

function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127\.|^::1$/.test(address)
}

function optionsResponse(
  headers: RequestHead['headers'],
  methods: string[],
  cors: boolean,
): ExchangeResult {
  if (methods.length === 0 && !cors) return toErrorResult(404, 'Not found')
  const allow = [...methods, 'OPTIONS'].join(', ')
  const preflight = {
    ...corsHeaders,
    'access-control-allow-methods': allow,
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
    'access-control-allow-private-network': 'true',
    'access-control-max-age': '600',
  }
  return { kind: 'response', status: 204, headers: { allow, ...(cors ? preflight : {}) }, body: '' }
}

const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': `${wireHeaders.requestId}, ${wireHeaders.retryAfter}`,
}

/** Converts an error to a response. Reports the error unless it is an `HttpError` or has the code `invalid_state`. */
export function respondToError(error: unknown, { settings }: HostedMock): ExchangeResult {
  if (error instanceof HttpError) return toErrorResult(error.status, error.detail)
  const isKnown = error instanceof MockError
  // `invalid_state` is not reported, because requests fail with it when their team is reset or restored.
  if (!isKnown || error.code !== 'invalid_state') settings.report(error)
  return toErrorResult(
    500,
    isKnown
      ? error.message
      : `The mock failed with an internal error. See the server output. The error: ${messageOf(error)}`,
  )
}

function toErrorResult(status: number, detail: HttpError['detail']): ExchangeResult {
  return serializeResponse(new ServiceResponse(status, { detail }), 'req_0')
}
