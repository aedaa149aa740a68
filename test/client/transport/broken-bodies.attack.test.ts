import { describe, expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { eventHandler } from '../../../src/events/index.ts'
import { ServiceClient } from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'
import { orderId, orderInput } from '../../support/samples.ts'
import { secret } from '../../support/signed.ts'
import { service } from '../attacked-client.ts'

describe('a body that fails with the error of a connection', () => {
  it.each([
    { code: 'ECONNREFUSED' },
    { code: 'CERT_HAS_EXPIRED' },
    { code: 'ETIMEDOUT', syscall: 'connect' },
    { errors: [{ code: 'ENOTFOUND' }] },
    { code: 'UND_ERR_INVALID_ARG', message: 'invalid connection header' },
  ])('is an unknown outcome, and the request is not sent again: %j', async (fields) => {
    let requests = 0
    const fetch = async () => {
      requests += 1
      const reason = Object.assign(new Error(), fields)
      const body = new ReadableStream({ pull: (controller) => controller.error(reason) })
      return new Response(body, { status: 201 })
    }
    const client = new ServiceClient({ ...service, fetch, clock: { now: () => 0, sleep } })
    const error = await failureOf(client.orders.create(orderInput))
    expect(error).toMatchObject({ code: 'connection_failed', outcome: 'unknown' })
    expect(error.attempts).toMatchObject([{ status: 201 }])
    expect(requests).toBe(1)
  })

  async function sleep() {}
})

describe('a body of empty chunks without end', () => {
  const endless = () =>
    new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array()) })

  it('is an unknown outcome of a call', async () => {
    const client = new ServiceClient({ ...service, fetch: async () => new Response(endless()) })
    const error = await failureOf(client.request('POST', '/v9'))
    expect(error).toMatchObject({ code: 'connection_failed', outcome: 'unknown' })
  })

  it('is a failed download', async () => {
    const client = new ServiceClient({ ...service, fetch: async () => new Response(endless()) })
    const download = await client.orders.downloadRequisition(orderId)
    await failureOf(download.bytes())
  })

  it('is a rejected delivery, and a failed one of a mock', async () => {
    const receive = eventHandler({ secrets: secret, on: {}, fallback() {} })
    const post = (url: string) => {
      const init = { method: 'POST', body: endless(), duplex: 'half' }
      return new Request(url, init as RequestInit)
    }
    await expect(receive(post('https://own.test'))).resolves.toMatchObject({ ok: false })
    const { fetch } = createMock()
    const isAccepted = fetch(post(`${service.baseUrl}/v2/user`)).then(
      ({ ok }) => ok,
      () => false,
    )
    await expect(isAccepted).resolves.toBe(false)
  })
})
