import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { nodeEventHandler, type ServiceEvent } from '../../src/events/index.ts'
import { delivery, secret } from '../support/signed.ts'
import { sleep } from './receiver.ts'

describe('on node:http', () => {
  it('handles deliveries', async () => {
    const handled: string[] = []
    const fallback = (_: ServiceEvent, { id }: { id: string }) => {
      handled.push(id)
    }
    const server = createServer(nodeEventHandler({ secrets: secret, on: {}, fallback }))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { headers, method } = await delivery(sleep)
    const send = () =>
      fetch(`http://127.0.0.1:${port}/`, { method, headers, body: JSON.stringify(sleep) })
    expect((await send()).status).toBe(200)
    expect((await send()).status).toBe(200)
    server.closeAllConnections()
    server.close()
    expect(handled).toEqual(['msg_1'])
  })

  it.each([
    ['text', JSON.stringify(sleep)],
    ['bytes', Buffer.from(JSON.stringify(sleep))],
  ])('accepts the %s of a raw body parser', async (_, body) => {
    const { headers } = await delivery(sleep)
    const sent = { statusCode: 0, headers: [] as string[], text: '' }
    const response = Object.assign(sent, {
      setHeader: (name: string, value: string) => sent.headers.push(`${name}: ${value}`),
      end: (text: string) => {
        sent.text = text
      },
    })
    const request = {
      method: 'POST',
      headers: Object.fromEntries(headers),
      body,
      [Symbol.asyncIterator]: async function* () {},
    }
    await nodeEventHandler({ secrets: secret, on: {}, fallback: () => {} })(request, response)
    expect(sent).toMatchObject({
      statusCode: 200,
      headers: ['content-type: text/plain'],
      text: 'Handled',
    })
  })

  it('treats a request without a method as GET', async () => {
    const told = { statusCode: 0, setHeader: () => {}, end: () => {} }
    const request = { headers: {}, [Symbol.asyncIterator]: async function* () {} }
    await nodeEventHandler({ secrets: secret, on: {}, fallback: () => {} })(request, told)
    expect(told.statusCode).toBe(405)
  })

  it('says what to do after a body parser', async () => {
    const errors: { message: string }[] = []
    const handle = nodeEventHandler({
      secrets: secret,
      on: {},
      fallback: () => {},
      onError: (error) => errors.push(error as Error),
    })
    const told = { statusCode: 0, setHeader: () => {}, end: () => {} }
    const request = {
      method: 'POST',
      headers: {},
      body: sleep,
      [Symbol.asyncIterator]: async function* () {},
    }
    await handle(request, told)
    expect(told.statusCode).toBe(500)
    expect(errors[0]?.message).toMatch(/express\.raw.* before any JSON parser/)
  })
})
