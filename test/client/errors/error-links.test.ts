import { expect, it, vi } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { durable } from '../../../src/durable/index.ts'
import { parseEvent } from '../../../src/events/index.ts'
import { ServiceClient } from '../../../src/index.ts'
import { ParquetArchive, tables } from '../../../src/parquet/index.ts'
import { postgresStore } from '../../../src/stores/index.ts'
import { createSync } from '../../../src/sync/index.ts'
import { failureOf } from '../../support/failure.ts'

vi.mock('../../../src/version.ts', () => ({ version: '1.2.3', homepage: 'https://sdk.test' }))

const statuses = {
  400: 'bad_request',
  401: 'authentication_failed',
  403: 'permission_denied',
  404: 'not_found',
  409: 'conflict',
  418: 'api_error',
  422: 'unprocessable_entity',
  429: 'rate_limited',
  500: 'internal_server_error',
}

function clientOf(respond: () => Response | Promise<Response>) {
  const settings = { apiKey: 'key', baseUrl: 'https://service.test', maxRetries: 0 }
  return new ServiceClient({ ...settings, fetch: async () => respond() })
}

const responding = (body: string, status = 200) => clientOf(() => new Response(body, { status }))
const listProviders = (client: ServiceClient) => client.link.listProviders()

it.each(Object.entries(statuses))(
  'ends the message of status %s with a link to %s',
  async (status, code) => {
    const error = await failureOf(listProviders(responding('{}', Number(status))))
    expect(error).toMatchObject({ code })
    expect(error.message).toMatch(
      new RegExp(`\\) See https://sdk.test/reference/errors.html#${code}$`),
    )
  },
)

/** Each rejects with an error that has a code. */
const failures: Record<string, () => unknown> = {
  request_invalid: () => responding('').users.createSignInToken(''),
  response_invalid: () => listProviders(responding('no JSON')),
  connection_failed: () => listProviders(clientOf(() => Promise.reject(new TypeError('failed')))),
  timeout: () => clientOf(() => new Promise(() => {})).link.listProviders({}, { timeout: 1 }),
  aborted: () => responding('[]').link.listProviders({}, { signal: AbortSignal.abort() }),
  last_page: async () => {
    const markers = { markers: [], total: 0, page: 1, size: 50, pages: 1 }
    const page = await responding(JSON.stringify(markers)).labTests.listMarkers()
    await page.nextPage()
  },
  archive_not_gzip: () => tables(ParquetArchive.from(new Blob(['text']))).next(),
  'events-event_invalid': () => parseEvent({}),
  'durable-writes-argument_invalid': () => durable(responding(''), {} as never),
  'stores-argument_invalid': () => postgresStore({} as never),
  'sync-argument_invalid': () => createSync({ maxAttempts: 0 } as never),
  'mock-invalid_option': () => createMock({ speed: 1 } as never),
}

it.each(Object.entries(failures))('links an error to the anchor %s', async (anchor, fail) => {
  const error = await failureOf(Promise.resolve().then(fail), Error)
  const link = ` See https://sdk.test/reference/errors.html#${anchor}`
  expect(error.message.endsWith(link)).toBe(true)
  expect(error.stack).toContain(link)
})
