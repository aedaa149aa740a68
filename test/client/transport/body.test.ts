import { spawnSync } from 'node:child_process'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { InternalServerError, ResponseValidationError, ServiceClient } from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'
import { type Behaviour, scriptedServer } from '../../support/programs/scripted-server.ts'
import { provider } from '../../support/samples.ts'

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

it('accepts a body of the maximum length', async () => {
  const spaces = new Uint8Array(mebibyte).fill(32)
  let left = 100
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      left -= 1
      controller.enqueue(left > 0 ? spaces : new TextEncoder().encode('[]'.padEnd(mebibyte)))
      if (left === 0) controller.close()
    },
  })
  await expect(clientWith(new Response(body)).link.listProviders()).resolves.toEqual([])
})

it('returns nothing for a response without a body', async () => {
  const client = clientWith(new Response(null, { status: 204 }))
  await expect(client.request('DELETE', '/later')).resolves.toBeUndefined()
})

describe('a compressed body of a server', () => {
  /** Responds with compressed bytes; `length` is their content-length, if any. */
  function compressed(status: number, encoding: string, bytes: Uint8Array, length?: number) {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding }
    const behaviour: Behaviour = (response) => {
      response.writeHead(
        status,
        length === undefined ? headers : { ...headers, 'content-length': length },
      )
      response.end(bytes)
    }
    return behaviour
  }

  async function connect(...behaviours: Behaviour[]) {
    const server = await scriptedServer(...behaviours)
    return new ServiceClient({ apiKey: 'key', baseUrl: server.baseUrl })
  }

  const lists = brotliCompressSync(Buffer.alloc(99 * mebibyte, '['))
  const objects = gzipSync(Buffer.from(`[${'{},'.repeat(10_000_000)}{}]`))
  const quotes = gzipSync(Buffer.alloc(101 * mebibyte, '"'))

  it.each([
    [
      'that expands too much',
      'br',
      lists,
      lists.length,
      'at most 100 times the bytes of its encoded form',
    ],
    ['with lists in lists', 'br', lists, undefined, 'at most 1000 levels of nesting'],
    ['of many small objects', 'gzip', objects, undefined, 'at most 4194304 values'],
    ['of many bytes', 'gzip', quotes, undefined, 'at most 104857600 bytes'],
  ])('%s is rejected before it is parsed', async (_, encoding, bytes, length, expected) => {
    const client = await connect(compressed(200, encoding, bytes, length))
    const error = await failureOf(client.request('POST', '/v9'), ResponseValidationError)
    expect(error.issues).toEqual([{ path: 'response', expected }])
    expect(error).toMatchObject({ outcome: 'unknown', attempts: [{ code: 'BODY_TOO_LARGE' }] })
  })

  it.each([
    ['lists in lists', brotliCompressSync(Buffer.alloc(mebibyte, '['))],
    ['too many bytes', brotliCompressSync(Buffer.alloc(11 * mebibyte, '7'))],
  ])('of an error is dropped when it has %s', async (_, bytes) => {
    const client = await connect(compressed(500, 'br', bytes, bytes.length))
    const error = await failureOf(client.request('POST', '/v9'), InternalServerError)
    expect(error).toMatchObject({ body: undefined, attempts: [{ status: 500 }] })
  })

  it('is read when it compresses well', async () => {
    const providers = Array.from({ length: 100_000 }, () => provider)
    const bytes = gzipSync(JSON.stringify(providers))
    const client = await connect(compressed(200, 'gzip', bytes, bytes.length))
    await expect(client.link.listProviders()).resolves.toHaveLength(100_000)
  })
})

it.each([
  ['levels of nesting', `${'['.repeat(1000)}${']'.repeat(1000)}`, true],
  ['levels of nesting', `${'['.repeat(1001)}${']'.repeat(1001)}`, false],
  ['values', `[${'0,'.repeat(4_194_302)}0]`, true],
  ['values', `[${'0,'.repeat(4_194_304)}0]`, false],
  ['brackets in a string', JSON.stringify({ text: `\\"${'[{,:"'.repeat(1000)}\\` }), true],
])('limits %s of a body', async (_, body, isAccepted) => {
  const call = clientWith(new Response(body)).request('GET', '/v9')
  if (isAccepted) await expect(call).resolves.toBeDefined()
  else await failureOf(call, ResponseValidationError)
})

it('reads a body of many small chunks in little memory', () => {
  const program = `
    import { ServiceClient } from './src/index.ts'
    let sent = 0
    const pull = (controller) => {
      controller.enqueue(new Uint8Array([sent === 0 ? 0x5b : 0x20]))
      sent += 1
      if (sent < 1_000_000) return
      controller.enqueue(new Uint8Array([0x5d]))
      controller.close()
    }
    const fetch = async () => new Response(new ReadableStream({ pull }, { highWaterMark: 0 }))
    const client = new ServiceClient({ apiKey: 'k', baseUrl: 'https://service.test', fetch })
    console.log(await client.link.listProviders())`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--max-old-space-size=64', '--input-type=module-typescript', '--eval', program],
    { encoding: 'utf8', timeout: 60_000 },
  )
  expect(stderr).toBe('')
  expect(stdout.trim()).toBe('[]')
}, 70_000)
