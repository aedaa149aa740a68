import * as msw from 'msw'
import { isMockError, mockErrorHeader, sendMockError } from '../src/mock-errors.ts'
import { MockError, messageOf } from './errors.ts'
import type { ExchangeResult } from './faults/effects.ts'
import { toFetchResponse } from './faults/fetch-response.ts'
import type { Mock } from './mock.ts'
import { checkFields } from './state/plain.ts'

/** The requests that MSW passes to a mock. */
export interface HandlersOptions {
  /** An http or https URL; requests below it go to the mock. Default: the mock's `baseUrl`. */
  baseUrl?: string
}

// MSW 3 has no GraphQL in its main entry.
const isMsw3 = !('graphql' in msw)

/**
 * Returns the handlers with which MSW responds from a mock, for `setupServer` and `setupWorker`: one for every request
 * below the base URL, so that none reaches the network. Your own handlers, before it or added with `use`, take precedence.
 *
 * A refused and a lost connection are both MSW's network error. The fault `cut_mid_body` needs MSW 2; with MSW 3 the
 * handler throws a `MockError` with the code `unsupported_effect`.
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
      try {
        return respond(await mock.exchange(request, undefined, base))
      } catch (error) {
        return toErrorResponse(error, request.signal)
      }
    }),
  ]
}

function respond(exchange: ExchangeResult): Response {
  if (exchange.kind !== 'response') return msw.HttpResponse.error()
  if (exchange.cutAfter === undefined || !isMsw3) return toFetchResponse(exchange)
  throw new MockError(
    'unsupported_effect',
    "MSW 3 does not support the fault 'cut_mid_body'. Use mock.fetch, the mock's server or MSW 2.",
  )
}

/** MSW changes errors into responses. This one has a header, by which the client finds the error. */
function toErrorResponse(error: unknown, { aborted }: AbortSignal): Response {
  if (aborted || !isMockError(error)) throw error
  const headers = { [mockErrorHeader]: sendMockError(error) }
  return msw.HttpResponse.json({ detail: messageOf(error) }, { status: 500, headers })
}

/** Returns a base URL in the form that the URLs of requests have. */
function normalizeUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:/i.test(text.trim())) {
    throw new MockError('invalid_option', 'Expected baseUrl to be an http or https URL.')
  }
  const { origin, pathname } = new URL(text)
  return origin + pathname.replace(/\/+$/, '')
}

/** Returns a pattern that matches exactly this text. MSW's own patterns give `+`, `(`, `{` and `:` a meaning. */
function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
