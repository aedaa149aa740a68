import { expect, it } from 'vitest'
import { ResponseValidationError, ServiceClient } from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'

const mebibyte = 1024 * 1024

/** A client whose every response is a body without end; `pulled` counts its mebibytes. */
function endless(headers: Record<string, string>) {
  const seen = { pulled: 0, isCancelled: false }
  const fetch = async () => {
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        seen.pulled += 1
        controller.enqueue(new Uint8Array(mebibyte).fill(32))
      },
      cancel() {
        seen.isCancelled = true
      },
    })
    return new Response(body, { headers })
  }
  const options = { apiKey: 'k', baseUrl: 'https://service.test' }
  return { seen, client: new ServiceClient({ ...options, fetch }) }
}

it('rejects a body whose announced length is too large, without reading it', async () => {
  const { client, seen } = endless({ 'content-length': String(101 * mebibyte) })
  const error = await failureOf(client.link.listProviders(), ResponseValidationError)
  expect(error.issues).toEqual([{ path: 'response', expected: 'at most 104857600 bytes' }])
  expect(seen.isCancelled).toBe(true)
  expect(seen.pulled).toBeLessThan(3)
})

it('rejects a body that grows too large without an announced length', async () => {
  const { client, seen } = endless({})
  const error = await failureOf(client.link.listProviders(), ResponseValidationError)
  expect(error).toMatchObject({
    outcome: 'unknown',
    attempts: [{ status: 200, code: 'BODY_TOO_LARGE' }],
  })
  expect(seen.isCancelled).toBe(true)
  expect(seen.pulled).toBeLessThan(105)
})

/** A client whose every response is this one. */
function clientWith(response: Response): ServiceClient {
  const options = { apiKey: 'k', baseUrl: 'https://service.test' }
  return new ServiceClient({ ...options, fetch: async () => response })
}

it('accepts a body whose announced length is the maximum', async () => {
  const headers = { 'content-length': String(100 * mebibyte) }
  const client = clientWith(new Response('[]', { headers }))
  await expect(client.link.listProviders()).resolves.toEqual([])
})

it('returns nothing for a response without a body', async () => {
  const client = clientWith(new Response(null, { status: 204 }))
  await expect(client.request('DELETE', '/later')).resolves.toBeUndefined()
})

function objectWith(fields: number, first = ''): string {
  return `{${first}${Array.from({ length: fields }, (_, at) => `"${at}":0`).join()}}`
}

it.each([
  ['levels of nesting', `${'['.repeat(1000)}${']'.repeat(1000)}`, true],
  ['levels of nesting', `${'['.repeat(1001)}${']'.repeat(1001)}`, false],
  ['values', `[${'0,'.repeat(4_194_302)}0]`, true],
  ['values', `[${'0,'.repeat(4_194_304)}0]`, false],
  ['fields in an object', objectWith(16_384), true],
  ['fields in an object', objectWith(16_385), false],
  ['fields in an object, after an object inside it,', objectWith(16_384, '"x":{"y":0},'), false],
  ['fields', `[${`${objectWith(9362)},`.repeat(64)}0]`, true],
  ['fields', `[${`${objectWith(9363)},`.repeat(64)}0]`, false],
  ['brackets in a string', JSON.stringify({ text: `\\"${'[{,:"'.repeat(1000)}\\` }), true],
])('limits %s of a body', async (_, body, isAccepted) => {
  const call = clientWith(new Response(body)).request('GET', '/v9')
  if (isAccepted) await expect(call).resolves.toBeDefined()
  else await failureOf(call, ResponseValidationError)
})
