import { connect, constants, createServer, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { nodeReceiver, signed } from './signed-event.ts'

/** A receiver on HTTP/2, and a session of a sender. */
async function start() {
  const { receive, errors, handled } = nodeReceiver()
  const received = Promise.withResolvers<void>()
  const started = Promise.withResolvers<ServerHttp2Stream>()
  const server = createServer((request, response) => {
    request.once('data', () => started.resolve(request.stream))
    received.resolve(receive(request, response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(async () => {
    session.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const { body, headers } = await signed()
  const stream = session.request({
    ...{ ':method': 'POST', 'content-length': Buffer.byteLength(body) },
    ...headers,
  })
  return { stream, body, started: started.promise, received: received.promise, errors, handled }
}

it('handles a delivery over HTTP/2', async () => {
  const { stream, body, received, errors, handled } = await start()
  stream.end(body)
  await received
  expect([errors, handled]).toEqual([[], ['msg_1']])
})

it.each([constants.NGHTTP2_CANCEL, constants.NGHTTP2_NO_ERROR, constants.NGHTTP2_INTERNAL_ERROR])(
  'reports a delivery that the sender resets midway as aborted: code %d',
  async (code) => {
    const { stream, body, started, received, errors, handled } = await start()
    stream.on('error', () => {})
    stream.write(body.slice(0, 10))
    await started
    stream.close(code)
    await received
    expect(errors).toEqual([expect.objectContaining({ code: 'ERR_STREAM_PREMATURE_CLOSE' })])
    expect(handled).toEqual([])
  },
)

it('reports an invalid signature although the sender resets the stream afterwards', async () => {
  const { stream, body, started, received, errors } = await start()
  stream.on('error', () => {})
  stream.write(body.replace('{', ' '))
  await started
  stream.close(constants.NGHTTP2_CANCEL)
  await received
  expect(errors).toEqual([expect.objectContaining({ code: 'signature_invalid' })])
})
