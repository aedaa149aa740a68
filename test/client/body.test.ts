import { expect, it } from 'vitest'
import { ResponseValidationError, ServiceClient } from '../../src/index.ts'
import { failureOf } from '../support/failure.ts'

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
