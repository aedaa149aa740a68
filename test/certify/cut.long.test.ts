import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, onTestFinished } from 'vitest'
import { certify } from '../../src/certify/index.ts'
import { secret } from '../support/signed.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Starts a receiver that never responds; returns its URL and its first connection, after garbage was collected. */
async function startStalled() {
  const server: Server = createServer((request) => request.resume())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // A server has an address while it listens.
  const { port } = server.address() as AddressInfo
  const connected = once(server, 'request').then(async ([request]): Promise<Socket> => {
    await new Promise((resolve) => setTimeout(resolve, 50))
    for (let count = 0; count < 5; count += 1) {
      collectGarbage()
      await new Promise(setImmediate)
    }
    return request.socket
  })
  return { url: `http://127.0.0.1:${port}/`, connected }
}

it('cuts the connection to a receiver that does not respond in time', async () => {
  const { url, connected } = await startStalled()
  const certified = certify({ url, secret, timeout: 500, only: ['signature/valid'] })
  const socket = await connected
  expect(await certified).toMatchObject({ failed: 1 })
  await expect.poll(() => socket.destroyed).toBe(true)
})
