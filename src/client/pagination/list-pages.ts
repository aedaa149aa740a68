import type { Endpoint } from '../../contract/schema-tools/endpoint.ts'
import type { Call } from '../call.ts'
import { copyInput } from '../copy-input.ts'
import { callSiteOf, withCallSite } from '../errors/call-site.ts'
import { findOptionIssues } from '../options/check-options.ts'
import { copyOptions } from '../options/copy-options.ts'
import { type RequestOptions, requestOptionRules } from '../options/request-options.ts'
import { type OptionRules, positiveInteger } from '../options/rules.ts'
import type { EndpointIn } from '../transport/transport.ts'
import { type Counters, followCursors, followNumbers } from './follow-pages.ts'
import { PageCall } from './page-call.ts'

/** Options for a list call, in addition to the options for every call. */
export interface ListOptions extends RequestOptions {
  /**
   * The maximum number of pages that one iteration reads, at least 1. If there are more, the iteration throws a
   * `PaginationError`. Default: 100,000, enough for a million items in pages of 10.
   */
  maxPages?: number | undefined
}

const defaultMaxPages = 100_000

const rules: Record<keyof ListOptions, OptionRules[string]> = {
  ...requestOptionRules,
  maxPages: positiveInteger,
}

interface ListArguments<Input> {
  endpoint: EndpointIn<Endpoint>
  input: Input
  options: ListOptions | undefined
}

type SendPage<Input, Page> = (input: Input, options: RequestOptions) => Call<Page>

function copyArguments<Input extends { query: object | undefined }>(list: ListArguments<Input>) {
  const options = withCallSite(copyOptions<ListOptions>(list.options))
  const { maxPages = defaultMaxPages, ...call } = options
  return { input: copyInput(list.input), maxPages, call, issues: findOptionIssues(options, rules) }
}

export function listByCursor<
  Input extends { query: { next_cursor?: string | null | undefined } },
  Page extends { data: unknown[]; next_cursor?: string | null | undefined },
>(list: ListArguments<Input>, send: SendPage<Input, Page>): PageCall<Page, Page['data'][number]> {
  const { input, maxPages, call, issues } = copyArguments(list)
  const first = Object(input.query).next_cursor ?? undefined
  return PageCall.start<Page, Page['data'][number], string | undefined>(
    {
      endpoint: list.endpoint,
      callSite: callSiteOf(call),
      first,
      fetch: (next_cursor) => {
        const page =
          next_cursor === first ? input : { ...input, query: { ...input.query, next_cursor } }
        return send(page, call)
      },
      itemsOf: ({ data }) => data,
      createStepper: followCursors,
      maxPages,
    },
    issues,
  )
}

export function listByNumber<
  Input extends { query: { page?: number | undefined; size?: number | undefined } },
  Page extends Counters & { markers: unknown[] },
>(
  list: ListArguments<Input>,
  send: SendPage<Input, Page>,
  defaultSize: number,
): PageCall<Page, Page['markers'][number]> {
  const { input, maxPages, call, issues } = copyArguments(list)
  // Untyped callers may pass anything; the endpoint's schema checks it.
  const { page: first = 1, size = defaultSize }: Input['query'] = Object(input.query)
  return PageCall.start<Page, Page['markers'][number], number>(
    {
      endpoint: list.endpoint,
      callSite: callSiteOf(call),
      first,
      fetch: (at) => {
        const page = at === first ? input : { ...input, query: { ...input.query, page: at } }
        return send(page, call)
      },
      itemsOf: ({ markers }) => markers,
      createStepper: () => followNumbers(({ markers }: Page) => markers, first, size),
      maxPages,
    },
    issues,
  )
}
