import * as msw from 'msw'
import { isMockError, mockErrorHeader, sendMockError } from '../src/shared/mock-errors.ts'
import { MockError, messageOf } from './errors.ts'
import type { ExchangeResult } from './faults/effects.ts'
import { toFetchResponse } from './faults/fetch-response.ts'
import type { Mock } from './mock.ts'
import { checkFields } from './state/plain.ts'

/** Options for {@link handlers}. */
export interface HandlersOptions {
  /** The http or https URL under which the mock handles all requests. Default: the mock's `baseUrl`. */
  baseUrl?: string
}

// MSW 3 does not export `graphql` from its main entry.
const isMsw3 = !('graphql' in msw)

/**
 * Returns MSW handlers that pass requests to a mock, for `setupServer` and `setupWorker`. Requests under the base URL
 * never reach the network. Your own handlers take precedence if they come first or are added with `use`. The handlers
 * also respond to preflight requests.
 *
 * MSW 3 does not support the `cut_mid_body` fault: client calls reject with a `MockError` (`unsupported_effect`), and
 * other requests get a 500.
 *
 * @throws {MockError} `invalid_option` for an invalid base URL or an unknown option.
 * @example
 * const server = setupServer(...handlers(createMock()))
 */
export function handlers(mock: Mock, options: HandlersOptions = {}): msw.HttpHandler[] {
  checkFields(options, ['baseUrl'], 'the options of handlers')
  const { baseUrl = mock.baseUrl } = options
  const base = normalizeUrl(baseUrl)
  return [
    msw.http.all(new RegExp(`^${escapePattern(base)}/`), async ({ request }) => {
      if (isPreflight(request)) return allowOrigin(new Response(null, { status: 204 }), request)
      try {
        const response = respond(await mock.exchange(request, undefined, base))
        return allowOrigin(response, request)
      } catch (error) {
        return allowOrigin(toErrorResponse(error, request.signal), request)
      }
    }),
  ]
}

function isPreflight({ method, headers }: Request): boolean {
  const isChecked = headers.has('access-control-request-method') || pageOrigin() !== null
  return method === 'OPTIONS' && isChecked
}

/** Returns the page's origin, or null outside a page. This is needed in happy-dom, where MSW drops the CORS headers. */
function pageOrigin(): string | null {
  // Deno has the property, but without a value.
  const { location }: { location?: Location } = globalThis
  return location?.origin ?? null
}

function allowOrigin(response: Response, { headers }: Request): Response {
  const origin = headers.get('origin') ?? pageOrigin()
  if (origin === null || response.type === 'error') return response
  response.headers.set('access-control-allow-origin', origin)
  const method = headers.get('access-control-request-method')
  if (method) response.headers.set('access-control-allow-methods', method)
  const names = headers.get('access-control-request-headers')
  if (names) response.headers.set('access-control-allow-headers', names)
  return response
}

function respond(exchange: ExchangeResult): Response {
  if (exchange.kind !== 'response') return msw.HttpResponse.error()
  if (exchange.cutAfter === undefined || !isMsw3) return toFetchResponse(exchange)
  throw new MockError(
    'unsupported_effect',
    "MSW 3 does not support the fault 'cut_mid_body'. Use mock.fetch, the mock's server or MSW 2.",
  )
}

/** Passes an error to the client in a response header, because MSW converts thrown errors to responses. */
function toErrorResponse(error: unknown, { aborted }: AbortSignal): Response {
  // Nothing reads this response, and MSW would print a thrown error.
  if (aborted) return msw.HttpResponse.error()
  if (!isMockError(error)) throw error
  const headers = { [mockErrorHeader]: sendMockError(error) }
  return msw.HttpResponse.json({ detail: messageOf(error) }, { status: 500, headers })
}

/** Normalizes a base URL, so it matches request URLs. */
function normalizeUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:/i.test(text.trim())) {
    throw new MockError('invalid_option', 'Expected baseUrl to be an http or https URL.')
  }
  const { origin, pathname } = new URL(text)
  return origin + pathname.replace(/\/+$/, '')
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
