import * as msw from 'msw'
import { MockError } from './errors.ts'
import { fetchResponse } from './faults/fetch-response.ts'
import type { Mock } from './mock.ts'

/** What a mock answers below. */
export interface HandlersOptions {
  /** An http or https URL; everything below it is answered, and nothing else. Default: the mock's. */
  baseUrl?: string
}

/** MSW 3 has moved GraphQL out of its main entry. */
const isMsw3 = !('graphql' in msw)

/**
 * The handlers with which MSW answers from a mock, for `setupServer` and `setupWorker`: one for everything below the
 * base URL, so that no request to it ever reaches the network. Handlers of your own, given before it or with `use`, win.
 *
 * A refused or lost connection is MSW's network error, which does not tell one from the other. A body that is cut
 * mid-way needs MSW 2: MSW 3 cannot carry it, and the handler says so.
 *
 * @throws {MockError} `invalid_option` when the base URL is none.
 * @example
 * const server = setupServer(...handlers(createMock()))
 */
export function handlers(
  mock: Mock,
  { baseUrl = mock.baseUrl }: HandlersOptions = {},
): msw.HttpHandler[] {
  const base = baseUrlIn(baseUrl)
  return [
    msw.http.all(new RegExp(`^${literal(base)}/`), async ({ request }) => {
      const exchange = await mock.exchange(request, undefined, base)
      if (exchange.kind !== 'answer') return msw.HttpResponse.error()
      if (exchange.cutAfter !== undefined && isMsw3) {
        throw new MockError(
          'unsupported_effect',
          "MSW 3 cannot carry the fault 'cut_mid_body'. Use mock.fetch, the mock's server or MSW 2 for it.",
        )
      }
      return fetchResponse(exchange)
    }),
  ]
}

/** A base URL as the URLs of requests spell it. */
function baseUrlIn(text: string): string {
  if (!URL.canParse(text) || !/^https?:/i.test(text.trim())) {
    throw new MockError('invalid_option', 'Expected baseUrl to be an http or https URL.')
  }
  const { origin, pathname } = new URL(text)
  return origin + pathname.replace(/\/+$/, '')
}

/** As a pattern that matches nothing else: in MSW's own patterns `+`, `(`, `{` and `:` have a meaning. */
function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
