import { spawnSync } from 'node:child_process'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { InternalServerError, ResponseValidationError, ServiceClient } from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'
import { type Behaviour, scriptedServer } from '../../support/programs/scripted-server.ts'
import { provider } from '../../support/samples.ts'

const mebibyte = 1024 * 1024

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
  const fetch = async () => new Response(body)
  const client = new ServiceClient({ apiKey: 'k', baseUrl: 'https://service.test', fetch })
  await expect(client.link.listProviders()).resolves.toEqual([])
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
    ['that expands too much', 'br', lists, lists.length, 'at most 100 times its encoded size'],
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
    const providers = Array.from({ length: 50_000 }, () => provider)
    const bytes = gzipSync(JSON.stringify(providers))
    const client = await connect(compressed(200, 'gzip', bytes, bytes.length))
    await expect(client.link.listProviders()).resolves.toHaveLength(50_000)
  })
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
    { encoding: 'utf8', timeout: 240_000 },
  )
  expect(stderr).toBe('')
  expect(stdout.trim()).toBe('[]')
})
