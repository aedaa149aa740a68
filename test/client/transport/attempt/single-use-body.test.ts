import { afterEach, expect, it, vi } from 'vitest'
import type { PreparedRequest } from '../../../../src/client/transport/prepare-request.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** Creates the body of a request on a platform with these global fields. */
async function createBody(
  text: string | undefined,
  globals: Record<string, unknown>,
  method = 'POST',
) {
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
  vi.resetModules()
  const { createSingleUseBody } = await import(
    '../../../../src/client/transport/attempt/single-use-body.ts'
  )
  return createSingleUseBody({ body: text, headers: [], method } as unknown as PreparedRequest)
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

// Bun resends the requests of these methods, unless a stream has a chunk.
it.each([
  ['PUT', '{}'],
  ['DELETE', undefined],
])('sends the body of a %s as a stream with a chunk on Bun', async (method, text) => {
  const { body } = await createBody(text, { ...otherPlatform, Bun: {} }, method)
  const chunks: Uint8Array[] = []
  for await (const chunk of body as ReadableStream<Uint8Array>) chunks.push(chunk)
  expect(chunks).toEqual([new TextEncoder().encode(text)])
})

it.each([
  ['Deno', 'POST', true],
  ['Deno', 'DELETE', true],
  ['Bun', 'DELETE', true],
  ['Bun', 'POST', false],
  ['Node', 'DELETE', false],
])('sends an idempotent call once, on %s with %s: %s', async (platform, method, expected) => {
  vi.stubGlobal(platform, {})
  vi.resetModules()
  const { isSentOnce } = await import('../../../../src/client/transport/attempt/single-use-body.ts')
  const request = { method } as PreparedRequest
  expect(isSentOnce({ effect: 'idempotent', request })).toBe(expected)
  expect(isSentOnce({ effect: 'read-only', request })).toBe(false)
  expect(isSentOnce({ effect: 'non-idempotent', request })).toBe(true)
})
