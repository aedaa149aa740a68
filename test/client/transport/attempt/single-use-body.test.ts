import { afterEach, expect, it, vi } from 'vitest'
import type { PreparedRequest } from '../../../../src/client/transport/prepare-request.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** Creates the body of a request on a platform with these global fields. */
async function createBody(text: string | undefined, globals: Record<string, unknown>) {
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
  vi.resetModules()
  const { createSingleUseBody } = await import(
    '../../../../src/client/transport/attempt/single-use-body.ts'
  )
  return createSingleUseBody({ body: text, headers: [] } as unknown as PreparedRequest)
}

const otherPlatform = { process: Object.create(process, { versions: { value: {} } }) }

// Deno resends other bodies when a connection ends without a response.
it.each(['{"a":"ü"}', undefined])('sends a Blob of %s on Deno', async (text) => {
  const { body, headers } = await createBody(text, { ...otherPlatform, Deno: {} })
  expect(body).toBeInstanceOf(Blob)
  expect(await new Response(body).text()).toBe(text ?? '')
  expect(headers).toEqual([])
})

it('sends a stream with a content length on Node', async () => {
  const { body, headers } = await createBody('{"a":"ü"}', {})
  expect(body).toBeInstanceOf(ReadableStream)
  expect(headers).toEqual([['content-length', '10']])
})

it('sends a string elsewhere', async () => {
  expect(await createBody('{}', otherPlatform)).toEqual({ body: '{}', headers: [] })
})

// Bun resends these methods when a connection ends without a response.
it.each([
  ['DELETE', 'unknown'],
  ['PUT', 'unknown'],
  ['POST', 'not-sent'],
  ['GET', 'not-sent'],
] as const)(
  'gives a %s whose connection was refused the outcome %s on Bun',
  async (method, outcome) => {
    vi.stubGlobal('Bun', {})
    vi.resetModules()
    const { ServiceClient } = await import('../../../../src/index.ts')
    const refused = Object.assign(new TypeError('refused'), { code: 'ECONNREFUSED' })
    const fetch = () => Promise.reject(refused)
    const options = { apiKey: 'key', baseUrl: 'https://service.test', fetch, maxRetries: 0 }
    const call = new ServiceClient(options).request(method, '/v2/reports')
    await expect(call).rejects.toMatchObject({ outcome })
  },
)

it.each(['idempotent', 'keyed', 'non-idempotent'] as const)(
  'sends %s calls once on Deno',
  async (effect) => {
    vi.stubGlobal('Deno', {})
    vi.resetModules()
    const { isSentOnce } = await import(
      '../../../../src/client/transport/attempt/single-use-body.ts'
    )
    expect(isSentOnce(effect)).toBe(true)
  },
)
